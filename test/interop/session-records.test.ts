import { sessionsOf } from '@latchkey/core/sessions';
import type { AuthConfig } from '@latchkey/core/types';
import { type Browser, MemorySessionRecords, type MemoryStore } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { authjs } from '../peers/authjs.ts';
import { heardAdapter } from '../peers/heard-adapter.ts';
import { idpConfig, type Library, latchkey, peer } from '../peers/libraries.ts';
import { makeSite, type Site, secret } from './servers.ts';

const SESSION = 'authjs.session-token';
const ada = { email: 'ada@example.com' };

/** A site that keeps records where Latchkey answers. Users are in a store that both libraries use. */
interface Recorded {
  readonly site: Site;
  readonly records: MemorySessionRecords;
  readonly store: MemoryStore;
  /** Signs the visitor in by a library. */
  signIn(library: Library): Promise<void>;
  /** Reads the session by a library. */
  sessionBy(library: Library, browser?: Browser): Promise<unknown>;
  /** Ends all sessions of the only user. */
  endAll(): Promise<unknown>;
}

function recordedSite(strategy: 'jwt' | 'database', callbacks: object = {}): Recorded {
  const records = MemorySessionRecords();
  const { adapter, store } = heardAdapter();
  const sessionOf = ({ name }: Library): object =>
    name === 'latchkey' ? { strategy, records: { store: records, revocationLag: 0 } } : { strategy };
  const site = makeSite({ config: (library) => ({ adapter, callbacks, session: sessionOf(library) }) });
  const config = {
    adapter,
    providers: [idpConfig(latchkey, site.provider)],
    secret,
    session: sessionOf(latchkey),
  } as unknown as AuthConfig;
  const use = site.use;
  return {
    site,
    records,
    store,
    async signIn(library) {
      use(library);
      await site.comeBack(await site.begin());
    },
    async sessionBy(library, browser = site.browser) {
      use(library);
      return (await browser.get('/auth/session')).json();
    },
    endAll: () => sessionsOf(config).endAll(String([...store.users.keys()][0])),
  };
}

/** The claims of the session cookie, as Auth.js reads them. */
async function claimsOf({ site }: Recorded): Promise<Record<string, unknown> | null> {
  return authjs.jwt.decode({ token: site.browser.cookies.get(SESSION)?.value, secret, salt: SESSION });
}

function idsOf({ records }: Recorded): string[] {
  return records.dump().records.map(({ id }) => id);
}

describe('a JWT session with a record', () => {
  it('is read by Auth.js, which issues its claim again; it has one record all the time', async () => {
    const scene = recordedSite('jwt');
    await scene.signIn(latchkey);
    const claim = (await claimsOf(scene))?.['latchkey'];
    const [id] = idsOf(scene);
    expect(claim).toMatchObject({ sid: id, provider: 'idp' });
    for (const library of [peer, latchkey, peer, latchkey]) {
      expect(await scene.sessionBy(library)).toMatchObject({ user: ada });
      expect((await claimsOf(scene))?.['latchkey']).toEqual(claim);
    }
    expect(idsOf(scene)).toEqual([id]);
  });

  it('that has ended is refused by Latchkey, also after Auth.js has issued its token again', async () => {
    const scene = recordedSite('jwt');
    await scene.signIn(latchkey);
    const copy = scene.site.browser.clone();
    await scene.endAll();
    expect(await scene.sessionBy(peer, copy), 'Auth.js does not ask').toMatchObject({ user: ada });
    expect(await scene.sessionBy(latchkey, copy)).toBeNull();
    expect(copy.cookies.has(SESSION)).toBe(false);
  });

  it('counts as a further session if the callback at Auth.js drops the claim', async () => {
    const scene = recordedSite('jwt', {
      jwt: ({ token }: { token: { sub: string; email: string } }) => ({ sub: token.sub, email: token.email }),
    });
    await scene.signIn(latchkey);
    const [first] = idsOf(scene);
    expect(await scene.sessionBy(peer)).toMatchObject({ user: ada });
    expect(await claimsOf(scene)).not.toHaveProperty('latchkey');
    expect(await scene.sessionBy(latchkey)).toMatchObject({ user: ada });
    expect(idsOf(scene)).toEqual([first, expect.any(String)]);
    const [copy, reissued] = [scene.site.browser.clone(), scene.site.browser.clone()];
    expect(await scene.endAll()).toMatchObject({ count: 2 });
    expect(await scene.sessionBy(latchkey, copy)).toBeNull();
    // A limit: nothing distinguishes a token that Auth.js issues after the end from that of a new sign-in.
    expect(await scene.sessionBy(peer, reissued)).toMatchObject({ user: ada });
  });
});

describe('a JWT session that began at Auth.js', () => {
  it('gets a record at its first read, and the claim with its next token', async () => {
    const scene = recordedSite('jwt');
    await scene.signIn(peer);
    expect(idsOf(scene)).toEqual([]);
    const copies = Array.from({ length: 5 }, () => scene.site.browser.clone());
    const answers = await Promise.all(copies.map((copy) => scene.sessionBy(latchkey, copy)));
    expect(answers).toEqual(copies.map(() => expect.objectContaining({ user: expect.objectContaining(ada) })));
    const [id, ...others] = idsOf(scene);
    expect(others).toEqual([]);
    expect(await scene.sessionBy(latchkey)).toMatchObject({ user: ada });
    expect((await claimsOf(scene))?.['latchkey']).toMatchObject({ sid: id });
    const { userId } = scene.records.dump().records[0] ?? {};
    expect([...scene.store.users.keys()]).toEqual([userId]);
  });

  it('ends with all sessions of its user, with each copy of its cookie', async () => {
    const scene = recordedSite('jwt');
    await scene.signIn(peer);
    const [unread, read] = [scene.site.browser.clone(), scene.site.browser.clone()];
    expect(await scene.sessionBy(latchkey, read)).toMatchObject({ user: ada });
    const older = scene.site.browser.clone();
    expect(await scene.endAll()).toMatchObject({ count: 1 });
    for (const copy of [unread, read, older]) {
      expect(await scene.sessionBy(latchkey, copy)).toBeNull();
      expect(copy.cookies.has(SESSION)).toBe(false);
    }
    expect(idsOf(scene)).toEqual([]);
  });
});

describe('a database session that began at Auth.js', () => {
  it('gets a record when Latchkey extends it, and then ends for both', async () => {
    const scene = recordedSite('database');
    await scene.signIn(peer);
    expect(await scene.sessionBy(latchkey)).toMatchObject({ user: ada });
    expect(idsOf(scene), 'the row is not due').toEqual([]);
    const [row] = scene.store.sessions.values();
    if (row) scene.store.sessions.set(row.sessionToken, { ...row, expires: new Date(Date.now() + 60_000) });
    expect(await scene.sessionBy(latchkey)).toMatchObject({ user: ada });
    expect(idsOf(scene)).toHaveLength(1);
    const copies = [scene.site.browser.clone(), scene.site.browser.clone()] as const;
    expect(await scene.endAll()).toEqual({ count: 1, within: 0 });
    expect(await scene.sessionBy(peer, copies[0])).toBeNull();
    expect(await scene.sessionBy(latchkey, copies[1])).toBeNull();
  });
});
