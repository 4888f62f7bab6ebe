import type { SessionRecord } from '@latchkey/core/types';
import { check, outcome, same } from '../adapter-suite/expect.ts';
import { fresh, hostile, lookAlikes, refusable } from '../adapter-suite/samples.ts';
import { anEpoch, aRecord, at, idsOf, look, sameRecord, stateOf, touchAt } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about text that stores often change. A store may refuse some of it, but must not change any. */
export function text(it: Case): void {
  for (const [kind, words] of Object.entries(hostile)) {
    const isRefusable = refusable.has(kind);
    it(`keeps ${isRefusable ? 'or refuses ' : ''}${kind} in a record`, async (records) => {
      const record = hostileRecord(words);
      same(await outcome(() => stateOf(records, record.id)).then(answerOf), 'unknown', 'before it is there');
      const created = await outcome(() => records.create(record));
      if (!created.ok) {
        if (!isRefusable) throw created.error;
        return same(await outcome(() => stateOf(records, record.id)).then(answerOf), 'unknown', 'after the refusal');
      }
      sameRecord(await records.check(record.id, look()), record);
      for (const by of keysOf(record)) same(await idsOf(records, by), [record.id], 'by its keys');
      const due = touchAt(900, { handle: `${words}.` });
      sameRecord(await records.check(record.id, due), {
        ...record,
        seenAt: due.now,
        expires: due.expires,
        handle: `${words}.`,
      });
      await records.endBefore(record.userId, anEpoch(at(10), { except: record.id }));
      same(await stateOf(records, record.id), 'live', 'the excepted session');
      await records.endBefore(record.userId, anEpoch(at(20)));
      same(await stateOf(records, record.id), 'ended', 'the ended session');
      same(await records.remove([record.id]), [record.id], 'removed');
    });
  }

  it('distinguishes ids, users and provider keys byte by byte', async (records) => {
    const prefix = fresh('');
    const kept: SessionRecord[] = [];
    for (const key of lookAlikes.map((one) => prefix + one)) {
      const record = aRecord({ id: key, userId: key, providerSession: key, providerUser: key, label: key });
      if ((await outcome(() => records.create(record))).ok) kept.push(record);
    }
    check(kept.length >= lookAlikes.length - 2, `only ${kept.length} of ${lookAlikes.length} similar keys were kept`);
    for (const record of kept) {
      sameRecord(await records.check(record.id, look()), record);
      for (const by of keysOf(record)) same(await idsOf(records, by), [record.id], JSON.stringify(record.label));
    }
    const [first, second, ...others] = kept;
    await records.endBefore(first?.id ?? '', anEpoch(at(10)));
    same(await records.remove([second?.id ?? '']), [second?.id], 'removed');
    const states = await Promise.all([first, second, ...others].map((record) => stateOf(records, record?.id ?? '')));
    same(states, ['ended', 'unknown', ...others.map(() => 'live')], 'states');
  });

  it('keeps a sealed session token and ID token of 8,000 characters', async (records) => {
    const record = aRecord({ handle: 'h'.repeat(8000), idToken: 'i'.repeat(8000) });
    await records.create(record);
    sameRecord(await records.check(record.id, look()), record);
  });
}

function hostileRecord(words: string): SessionRecord {
  const key = (): string => `${words}${fresh('')}`;
  return aRecord({
    id: key(),
    userId: key(),
    providerSession: key(),
    providerUser: key(),
    provider: words,
    label: words,
    network: words,
    handle: words,
    idToken: words,
    amr: [words, '', `${words},`],
  });
}

function keysOf({ userId, providerSession = '', providerUser = '' }: SessionRecord) {
  return [{ userId }, { providerSession }, { providerUser }];
}

/** The store may refuse to look for text that it cannot keep. */
function answerOf(done: Awaited<ReturnType<typeof outcome<string>>>): string {
  return done.ok ? done.value : 'unknown';
}
