import { Auth, type CallOptions } from '@latchkey/core';
import type { AuthConfig, SessionRecord, SessionRecords } from '@latchkey/core/types';

/**
 * A process of a site with ten million live sessions, in simulated time. The program prints its findings as JSON. Its
 * arguments are the simulated seconds, and the share of the reads that are of few, busy sessions:
 * `node --expose-gc --import <sources.mjs> simulation.ts 60 0.9`. The memory is measured after garbage collection.
 */

const SESSIONS = 10_000_000;
/** Sessions that are read again and again. */
const BUSY = 50_000;
const READS_PER_MILLISECOND = 20;
const LAG = 10_000;
/** Milliseconds between two ends of sessions by another process. */
const END_EACH = 25;

/** The findings of a simulation. */
export interface Findings {
  readonly reads: number;
  /** Calls of the record store. */
  readonly calls: number;
  /** Calls if each session is checked once per lag. */
  readonly expected: number;
  /** Ends of sessions by another process. */
  readonly ends: number;
  /** Reads that accepted a session when the lag had passed since its end. */
  readonly late: number;
  /** Reads that refused a live session. */
  readonly lost: number;
  /** Megabytes of the heap: at the beginning, and after each tenth of the time. */
  readonly heap: readonly number[];
}

const [seconds = 60, busyShare = 0.9] = process.argv.slice(2).map(Number);
const START = Date.parse('2026-03-01T12:00:00Z');
let now = START;

/** By the number of the session: when it ended, and when it was last checked. In milliseconds, 0 if never. */
const endedAt = new Float64Array(SESSIONS);
const checkedAt = new Float64Array(SESSIONS);
const tally = { reads: 0, calls: 0, expected: 0, ends: 0, late: 0, lost: 0 };

/** The store of all processes. Another process ends sessions. */
const store: SessionRecords = {
  async check(id) {
    tally.calls++;
    const number = Number.parseInt(id, 36);
    return endedAt[number] ? 'unknown' : recordOf(id);
  },
  create: unexpected,
  find: unexpected,
  remove: unexpected,
  endBefore: unexpected,
};

function unexpected(): never {
  throw new Error('a read does nothing but check');
}

function recordOf(id: string): SessionRecord {
  const [startedAt, expires] = [new Date(START), new Date(START + 1e10)];
  return { id, userId: id, startedAt, authTime: startedAt, amr: [], seenAt: startedAt, expires };
}

/** The cookie has the number of the session in plain JSON: encryption would take most of the time. */
const config: AuthConfig = {
  providers: [],
  secret: 'a-secret-for-tests-of-more-than-32-characters',
  trustHost: true,
  session: { records: { store, revocationLag: LAG / 1000 } },
  jwt: {
    encode: () => 'a token',
    decode: ({ token = '' }) => JSON.parse(decodeURIComponent(token)),
  },
};
const call: CallOptions = { basePath: '/auth', now: () => new Date(now) };

/** Reads a session, and counts what is wrong. */
async function read(number: number): Promise<void> {
  tally.reads++;
  const sid = number.toString(36).padStart(22, '0');
  const token = JSON.stringify({ sub: sid, latchkey: { sid, start: START } });
  const cookie = `authjs.session-token=${encodeURIComponent(token)}`;
  const end = endedAt[number] ?? 0;
  const isDue = now - (checkedAt[number] ?? 0) >= LAG;
  if (isDue) tally.expected++;
  if (isDue && end === 0) checkedAt[number] = now;
  const answer = await Auth(new Request('http://localhost/auth/session', { headers: { cookie } }), config, call);
  const isLive = (await answer.text()) !== 'null';
  if (isLive && end > 0 && now - end >= LAG) tally.late++;
  if (!isLive && end === 0) tally.lost++;
}

/** Returns the number of a session to read or to end: often a busy one. The sequence is always the same. */
function pick(): number {
  return Math.floor(random() * (random() < busyShare ? BUSY : SESSIONS));
}

let seed = 7;
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

const heap: number[] = [];
function measure(): void {
  globalThis.gc?.();
  heap.push(process.memoryUsage().heapUsed / 1e6);
}

/** Sessions that have ended, in order. Each is read again as soon as its lag has passed. */
const ended: number[] = [];
await read(0);
measure();
for (let millisecond = 1; millisecond <= seconds * 1000; millisecond++) {
  now = START + millisecond;
  if (millisecond % END_EACH === 0) endOne();
  const reads = Array.from({ length: READS_PER_MILLISECOND }, () => read(pick()));
  while (now - (endedAt[ended[0] ?? 0] || now) >= LAG) reads.push(read(ended.shift() ?? 0));
  await Promise.all(reads);
  if (millisecond % (seconds * 100) === 0) measure();
}
console.log(JSON.stringify({ ...tally, heap } satisfies Findings));

function endOne(): void {
  const number = pick();
  if (endedAt[number]) return;
  endedAt[number] = now;
  ended.push(number);
  tally.ends++;
}
