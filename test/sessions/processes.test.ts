import type { Browser } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../../packages/adapter-sql/test/engines/engines.ts';
import { available, postgres } from '../services/index.ts';
import { type Place, type Processes, startProcesses } from './processes.ts';

const places: Readonly<Record<string, { readonly isAvailable: boolean; open(): Promise<Place> }>> = {
  SQLite: {
    isAvailable: true,
    open: async () => {
      const folder = newFolder();
      return { kind: 'SQLite', url: folder.path('auth.db'), drop: folder.remove };
    },
  },
  PostgreSQL: {
    isAvailable: await available('postgres'),
    open: async () => {
      const fresh = await (await postgres()).fresh();
      return { kind: 'PostgreSQL', url: fresh.url, drop: () => fresh.drop() };
    },
  },
};

const OVER = { count: 1, within: 0 };

describe.each(Object.entries(places).filter(([, { isAvailable }]) => isAvailable))(
  'sessions over two processes on %s',
  (_, { open }) => {
    let site: Processes;
    beforeAll(async () => {
      site = await startProcesses(await open());
    });
    afterAll(() => site?.close());

    it('of JWT: a copied cookie is refused by the other process as soon as the lag has passed', async () => {
      const browser = await site.signIn('/jwt');
      expect(await site.isLive('/jwt', browser, 1)).toBe(true);
      expect(await site.end('/jwt', browser, 'all')).toEqual({ count: 1, within: 30 });
      expect(await site.isLive('/jwt', browser, 0), 'in the process that has ended it').toBe(false);
      site.clock.advance(29.999);
      expect(await site.isLive('/jwt', browser, 1), 'within the lag').toBe(true);
      site.clock.advance(0.001);
      expect(await site.isLive('/jwt', browser, 1)).toBe(false);
    });

    it.each(['/jwt-without-lag', '/database'])('of %s: a copied cookie is refused by both at once', async (base) => {
      const browser = await site.signIn(base);
      expect(await site.isLive(base, browser, 1)).toBe(true);
      expect(await site.end(base, browser, 'all')).toEqual(OVER);
      expect(await site.isLive(base, browser, 1)).toBe(false);
      expect(await site.isLive(base, browser, 0)).toBe(false);
    });

    it.each(['/jwt-without-lag', '/database'])('of %s: one process ends a session of the other', async (base) => {
      const email = `${crypto.randomUUID()}@example.com`;
      const [here, there] = [await site.signIn(base, email, 0), await site.signIn(base, email, 1)];
      const other = (await site.list(base, here)).find(({ current }) => !current);
      expect(await site.end(base, here, other?.id ?? '')).toEqual(OVER);
      expect(await site.isLive(base, there, 1)).toBe(false);
      expect(await site.isLive(base, here, 1)).toBe(true);
    });
  },
);

describe('a process on SQLite that is killed', () => {
  let site: Processes;
  beforeAll(async () => {
    site = await startProcesses(await (places['SQLite'] as (typeof places)[string]).open());
  });
  afterAll(() => site?.close());

  /** Two sessions of a user. The second one observes. */
  async function twoSessions(base: string): Promise<{ email: string; victim: Browser; witness: Browser }> {
    const email = `${crypto.randomUUID()}@example.com`;
    return { email, victim: await site.signIn(base, email), witness: await site.signIn(base, email, 1) };
  }

  it.each([
    ['/database', 'createSession', 'leaves an unused row', { listed: 2, isLive: true }],
    ['/database', 'check', 'leaves both sessions listed', { listed: 3, isLive: true }],
    ['/database', 'remove', 'has ended the replaced session', { listed: 2, isLive: false }],
    ['/jwt-without-lag', 'create', 'leaves both sessions listed', { listed: 3, isLive: true }],
    ['/jwt-without-lag', 'remove', 'has ended the replaced session', { listed: 2, isLive: false }],
  ])('while it signs in (%s), after `%s`, %s', async (base, step, _, expected) => {
    const { email, victim, witness } = await twoSessions(base);
    await site.kill(0, step, (headers) =>
      site.post(victim.clone(), `${base}/callback/credentials`, { email }, headers),
    );
    expect(await site.isLive(base, victim, 1)).toBe(expected.isLive);
    expect(await site.list(base, witness, 1)).toHaveLength(expected.listed);
    // The sign-in is repeated.
    const again = victim.clone();
    await site.post(again, `${base}/callback/credentials`, { email });
    expect(await site.isLive(base, again, 1)).toBe(true);
    await site.end(base, witness, 'all', 1);
    for (const browser of [again, victim, witness]) expect(await site.isLive(base, browser, 1)).toBe(false);
  });

  it.each([
    ['/database', 'deleteSession', { listed: 2 }],
    ['/database', 'remove', { listed: 1 }],
    ['/jwt-without-lag', 'remove', { listed: 1 }],
  ])('while it ends a session (%s), after `%s`: over, and listed until repeated', async (base, step, expected) => {
    const { victim, witness } = await twoSessions(base);
    const id = (await site.list(base, victim)).find(({ current }) => current)?.id ?? '';
    const browser = witness.clone();
    await site.kill(0, step, (headers) =>
      site.post(site.visitor(0, browser), `${base}/sessions`, { end: id }, headers),
    );
    expect(await site.isLive(base, victim, 1)).toBe(false);
    expect(await site.list(base, witness, 1)).toHaveLength(expected.listed);
    expect(await site.end(base, witness, id, 1)).toEqual({ count: expected.listed - 1, within: 0 });
    expect(await site.list(base, witness, 1)).toHaveLength(1);
    expect(await site.isLive(base, witness, 1)).toBe(true);
  });

  it.each([
    ['/jwt-without-lag', 'endBefore', { isLive: false }],
    ['/database', 'endBefore', { isLive: true }],
    ['/database', 'deleteSessionsByUserId', { isLive: false }],
    ['/database', 'remove', { isLive: false }],
  ])('while it ends all sessions (%s), after `%s`: over at the latest when repeated', async (base, step, expected) => {
    const { email, victim, witness } = await twoSessions(base);
    const copy = witness.clone();
    site.clock.advance(1);
    await site.kill(0, step, (headers) => site.post(victim.clone(), `${base}/sessions`, { end: 'all' }, headers));
    for (const browser of [victim, copy]) expect(await site.isLive(base, browser, 1)).toBe(expected.isLive);
    site.clock.advance(1);
    const again = await site.signIn(base, email, 1);
    expect(await site.list(base, again, 1), 'the others are not listed').toHaveLength(1);
    expect(await site.end(base, again, 'all', 1)).toEqual(OVER);
    for (const browser of [victim, copy, again]) expect(await site.isLive(base, browser, 1)).toBe(false);
  });
});
