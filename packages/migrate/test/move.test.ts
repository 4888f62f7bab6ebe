import { Auth } from '@latchkey/core';
import type { LegacyReader } from '@latchkey/core/types';
import { ExpressAuth, getSession } from '@latchkey/express';
import { type Application, application, type Browser, type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OldApplication, type OldLibrary, oldLibraries } from './old-libraries.ts';
import { type Site, startSite } from './site.ts';

const VISITORS = 500;
const DAY = 86_400_000;
const until = new Date(Date.now() + 60 * DAY);
const past = new Date(Date.now() - DAY);

const names = Array.from({ length: VISITORS }, (_, index) => `visitor${index}`);

interface Visitor {
  readonly browser: Browser;
  readonly userId: string;
}

interface Move {
  readonly site: Site;
  readonly old: OldApplication;
  readonly visitors: readonly Visitor[];
  /** The users in the store of the new application, which have the same ids. */
  readonly adapter: MemoryAdapter;
}

/** Starts the old application, signs visitors in, and copies their users into the new store. */
async function prepare(library: OldLibrary, count: number): Promise<Move> {
  const site = await startSite();
  const old = await library.make(site);
  old.start();
  const adapter = memoryAdapter();
  const visitors: Visitor[] = [];
  for (const name of names.slice(0, count)) {
    const browser = site.visitor();
    const userId = await old.signIn(browser, name);
    visitors.push({ browser, userId });
    await adapter.createUser({ id: userId, name, email: `${name}@example.com`, emailVerified: null });
  }
  return { site, old, visitors, adapter };
}

async function prepareOne(library: OldLibrary): Promise<Move & Visitor> {
  const move = await prepare(library, 1);
  const [visitor] = move.visitors;
  if (!visitor) throw new Error('nobody is signed in');
  return { ...move, ...visitor };
}

/** Answers the requests of the site with Latchkey, as a function from `Request` to `Response`. */
function moveTo(
  { site, adapter }: Move,
  strategy: 'jwt' | 'database',
  reader: LegacyReader,
): Application<MemoryAdapter> {
  const app = application({ adapter, config: { session: { strategy }, legacy: [reader] } });
  site.use((request) => Auth(request, app.config, { now: app.clock.now }));
  return app;
}

/** The answers to requests that a page sends at once. */
async function sessionsOf({ browser }: Visitor, path = '/auth/session'): Promise<unknown[]> {
  const pages = await Promise.all([browser.get(path), browser.get(path)]);
  return pages.map((page) => page.json<{ user?: { name?: string } } | null>()?.user?.name);
}

/** Returns the visitors whose parallel requests have not all got their own session. */
async function signedOut(visitors: readonly Visitor[], path?: string): Promise<number> {
  let count = 0;
  for (const [index, visitor] of visitors.entries()) {
    const found = await sessionsOf(visitor, path);
    if (found.some((name) => name !== names[index])) count += 1;
  }
  return count;
}

async function signedOutOfOld(old: OldApplication, visitors: readonly Visitor[]): Promise<number> {
  let count = 0;
  for (const { browser, userId } of visitors) if ((await old.userOf(browser)) !== userId) count += 1;
  return count;
}

describe.each(oldLibraries)('visitors of an application with $name', (library) => {
  beforeEach(() => void vi.stubEnv('NEXTAUTH_URL', ''));
  afterEach(() => void vi.unstubAllEnvs());

  it('stay signed in: 500 with `keep`, 500 after the way back, and 500 when they move for good, through Express', async () => {
    const move = await prepare(library, VISITORS);
    const { site, old, visitors, adapter } = move;
    moveTo(move, 'jwt', old.reader({ until, keep: true }));
    expect(await signedOut(visitors)).toBe(0);

    old.start();
    expect(await signedOutOfOld(old, visitors)).toBe(0);

    for (const { browser } of visitors) browser.cookies.delete('authjs.session-token');
    const { config } = moveTo(move, 'database', old.reader({ until }));
    const app = express().use('/auth', ExpressAuth(config));
    app.get('/me', async (req, res) => void res.json(await getSession(req, config)));
    site.serve(app);
    expect(await signedOut(visitors, '/me')).toBe(0);
    expect(await signedOut(visitors, '/me')).toBe(0);
    expect(visitors.filter(({ browser }) => browser.cookies.has(library.cookie))).toEqual([]);
    // Two requests of each visitor were in parallel, and each has started a session.
    expect([old.stored() ?? 0, adapter.store.sessions.size]).toEqual([0, VISITORS * 2]);
  });

  it('are refused with an expired, forged or truncated cookie, whose session is not looked up', async () => {
    const move = await prepareOne(library);
    const { site, old, browser } = move;
    const app = moveTo(move, 'jwt', old.reader({ until }));
    const value = browser.cookies.get(library.cookie)?.value ?? '';
    expect(value.length).toBeGreaterThan(20);
    const middle = Math.floor(value.length / 2);
    const other = value[middle] === 'A' ? 'B' : 'A';
    const isSigned = old.readerWithOtherSecret !== undefined;
    for (const forged of [
      value.slice(0, middle) + other + value.slice(middle + 1),
      value.slice(0, middle),
      `${value}A`,
      value.split('.').slice(0, -1).join('.'),
      '.',
      's:',
      '%00',
    ]) {
      const visitor = site.visitor();
      visitor.cookies.set(library.cookie, forged);
      const before = old.lookups();
      expect([forged, await app.session(visitor)]).toEqual([forged, null]);
      if (isSigned) expect(old.lookups()).toBe(before);
    }
    app.clock.advance(31 * 86_400);
    expect(await app.session(browser)).toBeNull();
    app.clock.advance(-31 * 86_400);
    expect(await app.session(browser)).not.toBeNull();
    expect(app.log.errors).toEqual([]);
  });

  it('are not looked up with another secret, and not after `until`', async () => {
    const move = await prepareOne(library);
    const { old, browser } = move;
    const before = old.lookups();
    const readers = [old.readerWithOtherSecret?.({ until }), old.reader({ until: past })];
    for (const reader of readers.filter((one) => one !== undefined)) {
      const app = moveTo(move, 'jwt', reader);
      expect(await app.session(browser)).toBeNull();
    }
    expect(old.lookups()).toBe(before);
    expect(browser.cookies.has(library.cookie)).toBe(true);
  });

  it('sign out of the old session, too', async () => {
    const move = await prepareOne(library);
    const { old, browser } = move;
    const app = moveTo(move, 'database', old.reader({ until, keep: true }));
    await app.session(browser);
    await app.signOut(browser);
    expect([browser.cookies.has(library.cookie), old.stored() ?? 0]).toEqual([false, 0]);
    expect(await app.session(browser)).toBeNull();
  });

  it('keep the old cookie if the reader throws, which the log names', async () => {
    const move = await prepareOne(library);
    const { old, browser } = move;
    if (old.stored() === undefined) return; // It has no store that could fail.
    old.fail?.();
    const reader = old.reader({ until });
    const app = moveTo(move, 'jwt', reader);
    expect(await app.session(browser)).toBeNull();
    expect(browser.cookies.has(library.cookie)).toBe(true);
    expect(app.log.errors[0]?.message).toMatch(`the reader "${reader.name}" of \`legacy\` threw`);
  });
});
