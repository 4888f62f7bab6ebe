import { SqlAdapter } from '@latchkey/adapter-sql';
import { Auth, customFetch } from '@latchkey/core';
import { afterEach, describe, expect, it } from 'vitest';
import { loadVersion, previousCommit, type Version } from './packages.ts';
import { makeSite, type Site, type Strategy } from './site.ts';

const commit = previousCommit();
if (commit === undefined && process.env['CI'] === 'true')
  throw new Error('fetch the history: git fetch --unshallow --tags');
if (commit === undefined) console.warn('not run: the previous version (the repository has no history)');

const current: Version = { name: 'this version', Auth, customFetch, SqlAdapter };
const opened: Site[] = [];
afterEach(() => {
  for (const site of opened.splice(0)) site.close();
});

describe.skipIf(commit === undefined)('the previous version and this one at one site', async () => {
  const previous = commit === undefined ? current : await loadVersion(commit);
  const crossings = [
    { from: previous, to: current, title: 'begins at the previous version and ends at this one' },
    { from: current, to: previous, title: 'begins at this version and ends at the previous one' },
  ];
  const strategies: readonly Strategy[] = ['jwt', 'database'];
  /** The tables are those of this version, as after `latchkey migrate`. */
  const site = (strategy: Strategy): Site => {
    const made = makeSite(strategy, [current, previous]);
    opened.push(made);
    return made;
  };

  describe.each(crossings)('what $title', ({ from, to }) => {
    it.each(strategies)('is a sign-in, a session and a sign-out, with sessions: %s', async (strategy) => {
      const visitor = site(strategy).visitor();
      visitor.use(from);
      const redirect = await visitor.begin('idp');
      visitor.use(to);
      await visitor.comeBack(redirect);
      expect(await visitor.email()).toBe('ada@example.com');
      visitor.use(from);
      expect(await visitor.email()).toBe('ada@example.com');
      visitor.use(to);
      await visitor.signOut();
      visitor.use(from);
      expect(await visitor.email()).toBeUndefined();
      expect(visitor.browser.rejected).toEqual([]);
    });

    it('is a mailed link, and the account of the user', async () => {
      const { visitor: newVisitor, links } = site('database');
      const visitor = newVisitor();
      visitor.use(from);
      await visitor.begin('mail', { email: 'grace@example.com' });
      visitor.use(to);
      await visitor.browser.get(links[0] ?? '');
      expect(await visitor.email()).toBe('grace@example.com');
    });
  });

  it('serve visitors in turn, and a way back loses no session', async () => {
    const { visitor: newVisitor } = site('database');
    const visitors = Array.from({ length: 8 }, newVisitor);
    for (let round = 0; round < 12; round++) {
      await Promise.all(
        visitors.map(async (visitor, index) => {
          visitor.use((round + index) % 2 === 0 ? current : previous);
          if ((await visitor.email()) === undefined) await visitor.comeBack(await visitor.begin('idp'));
          visitor.use((round + index) % 3 === 0 ? current : previous);
          expect(await visitor.email()).toBe('ada@example.com');
          if ((round + index) % 5 === 0 && round < 10) await visitor.signOut();
        }),
      );
    }
    for (const visitor of visitors) {
      visitor.use(previous);
      expect(await visitor.email()).toBe('ada@example.com');
    }
  });
});
