import type { Adapter } from '@latchkey/core/adapters';
import { type Application, application, memoryAdapter } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisAdapter } from '../../packages/adapter-redis/src/index.ts';
import { nodeRedis } from '../../packages/adapter-redis/test/clients.ts';
import { SqlAdapter } from '../../packages/adapter-sql/src/index.ts';
import type { EngineKind } from '../../packages/adapter-sql/test/engines/engines.ts';
import { dialectPlaces } from '../../packages/adapter-sql/test/place.ts';
import { available, redis } from '../services/index.ts';

interface OpenStore {
  readonly adapter: Adapter;
  close(): unknown;
}

async function inSql(kind: EngineKind): Promise<OpenStore> {
  const { db, close } = await kind.open();
  return { adapter: SqlAdapter(db), close };
}

async function inRedis(tag: 'all' | 'user'): Promise<OpenStore> {
  const { url, prefix, drop } = await (await redis()).fresh();
  const connected = await nodeRedis(url);
  return {
    adapter: RedisAdapter(connected.client, { prefix, tag }),
    async close() {
      connected.close();
      await drop();
    },
  };
}

/**
 * The stores. Without the methods for accounts, the memory adapter is like those of other projects. Each method runs on
 * all engines of a dialect in `adapterSuite`.
 */
const stores: Readonly<Record<string, () => OpenStore | Promise<OpenStore>>> = {
  'the methods of Auth.js': () => ({ adapter: memoryAdapter({ optional: false }), close: () => undefined }),
  ...Object.fromEntries(dialectPlaces.map((kind) => [kind.name, () => inSql(kind)])),
  ...((await available('redis')) && {
    'Redis, tag all': () => inRedis('all'),
    'Redis, tag user': () => inRedis('user'),
  }),
};

interface Sent {
  readonly to: string;
  readonly text: string;
}

/** Makes an application whose mails are kept. */
function siteOf(adapter: Adapter): { readonly app: Application<Adapter>; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const app = application({
    adapter,
    config: ({ provider }) => ({
      providers: ['fake', 'second'].map((id) => provider.provider({ id, emailVerification: 'always' })),
      account: {},
      mail: { send: async (mail) => void sent.push(mail) },
      rateLimit: false,
    }),
  });
  return { app, sent };
}

const codeOf = ({ text }: Sent): string => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? '';
const undoLinkOf = ({ text }: Sent): string => /http\S+account\/undo\S+/.exec(text)?.[0] ?? '';

describe.each(Object.entries(stores))('the account of a user in %s', (_, open) => {
  let store: OpenStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  it('is changed, restored and deleted', async () => {
    const { app, sent } = siteOf(store.adapter);
    const [ada, eve] = ['ada@example.com', 'eve@evil.example'];
    const owner = async (email: string): Promise<unknown> => (await store.adapter.getUserByEmail?.(email))?.id;
    await app.signIn();
    const id = await owner(ada);
    app.clock.advance(60);
    await app.post('account/email', { email: eve });
    await app.post('account/confirm', { code: codeOf(sent[0] ?? expect.unreachable()) });
    expect([await owner(eve), await owner(ada)]).toEqual([id, undefined]);
    app.clock.advance(60);
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: eve } } });
    const [, notice = expect.unreachable()] = sent;
    expect(notice.to).toBe(ada);
    const visitor = app.visitor();
    const press = async (): Promise<string> =>
      (await visitor.submit(visitor.form(await app.open(undoLinkOf(notice), visitor)))).text();
    expect(await press()).toContain('The change is undone');
    expect(await press()).toContain('The link was used before');
    expect([await owner(ada), await owner(eve)]).toEqual([id, undefined]);
    // Adapters of other projects cannot list accounts, and cannot end all sessions of a user.
    if (store.adapter.listAccountsByUserId) {
      expect((await store.adapter.listAccountsByUserId(String(id))).map(({ provider }) => provider)).toEqual(['fake']);
      expect(await app.session()).toBeNull();
    }
    await app.signIn();
    await app.post('account/delete', { confirm: ada });
    expect([await owner(ada), await app.session()]).toEqual([undefined, null]);
  });

  it('keeps one way to sign in if fifty are removed at once', async () => {
    const { app } = siteOf(store.adapter);
    const owner = { sub: 'last', email: 'last@example.com' };
    await app.signIn({ consent: { user: owner } });
    const userId = String((await store.adapter.getUserByEmail?.(owner.email))?.id);
    const subs = Array.from({ length: 49 }, (_, index) => `last-${index}`);
    for (const sub of subs) {
      await store.adapter.linkAccount?.({ provider: 'second', providerAccountId: sub, type: 'oidc', userId });
    }
    const csrfToken = await app.csrfToken();
    const headers = { accept: 'application/json' };
    const { ways = [] } = (await app.browser.get('/auth/account', { headers })).json<{ ways?: { id: string }[] }>();
    // Adapters of other projects cannot list accounts.
    expect(ways).toHaveLength(store.adapter.listAccountsByUserId ? 50 : 0);
    const pages = await Promise.all(
      ways.map(({ id }) => app.browser.post('/auth/account/unlink', { csrfToken, id }, { headers })),
    );
    const answers = pages.map((page) => page.text()).sort();
    const removed = Array.from({ length: Math.max(0, ways.length - 1) }, () => '{"count":1}');
    expect(answers).toEqual([...removed, ...(ways.length > 0 ? ['{"error":"LastWayIn"}'] : [])]);
    const accounts = [{ provider: 'fake', sub: owner.sub }, ...subs.map((sub) => ({ provider: 'second', sub }))];
    const owners = await Promise.all(
      accounts.map(({ provider, sub }) => store.adapter.getUserByAccount?.({ provider, providerAccountId: sub })),
    );
    expect(owners.filter((user) => user)).toHaveLength(ways.length > 0 ? 1 : 50);
  });

  it('has at most 50 accounts if the adapter can list them, also if many are added at once', async () => {
    const { app } = siteOf(store.adapter);
    const owner = { sub: 'many', email: 'many@example.com' };
    await app.signIn({ consent: { user: owner } });
    const userId = String((await store.adapter.getUserByEmail?.(owner.email))?.id);
    const ids = Array.from({ length: 46 }, (_, index) => `many-${index}`);
    for (const id of ids) {
      await store.adapter.linkAccount?.({ provider: 'old', providerAccountId: id, type: 'oidc', userId });
    }
    const visitors = Array.from({ length: 6 }, () => app.visitor());
    const urls: string[] = [];
    for (const [index, browser] of visitors.entries()) {
      await app.signIn({ browser, consent: { user: owner } });
      const { location = '' } = await app.startSignIn('second', {}, browser);
      const user = { sub: `added-${index}`, email: `added-${index}@example.com` };
      urls.push(await app.provider.authorize(location, { user }));
    }
    await Promise.all(visitors.map((browser, index) => app.open(urls[index] ?? '', browser)));
    const owners = await Promise.all(
      visitors.map((_, index) =>
        store.adapter.getUserByAccount?.({ provider: 'second', providerAccountId: `added-${index}` }),
      ),
    );
    const added = owners.filter((user) => String(user?.id) === userId).length;
    if (store.adapter.listAccountsByUserId) expect(added).toBeLessThanOrEqual(3);
    else expect(added).toBe(6);
  });

  it('is restored after an attacker has undone a change, and keeps its address', async () => {
    const { app, sent } = siteOf(store.adapter);
    const [bea, eve, mallory] = ['bea@example.com', 'eve@evil.example', 'mallory@evil.example'];
    const owner = async (email: string): Promise<unknown> => (await store.adapter.getUserByEmail?.(email))?.id;
    const last = (): Sent => sent.at(-1) ?? expect.unreachable();
    const changeTo = async (email: string): Promise<Sent> => {
      await app.post('account/email', { email });
      await app.post('account/confirm', { code: codeOf(last()) });
      return last();
    };
    const undo = async (notice: Sent): Promise<string> => {
      const visitor = app.visitor();
      return (await visitor.submit(visitor.form(await app.open(undoLinkOf(notice), visitor)))).text();
    };
    const consent = { user: { sub: 'bea', email: bea } };
    await app.signIn({ consent });
    const id = await owner(bea);
    app.clock.advance(60);
    const first = await changeTo(eve);
    // In the same second.
    expect(await undo(await changeTo(mallory))).toContain('The change is undone');
    expect(await owner(eve)).toBe(id);
    expect(await undo(first)).toContain('The change is undone');
    await app.signIn({ consent });
    const before = sent.length;
    expect((await app.post('account/email', { email: eve })).redirect?.search).toBe('?error=RateLimited');
    expect([sent.length, await owner(bea)]).toEqual([before, id]);
  });

  it('gets an address that no other user gets at the same time', async () => {
    const { app, sent } = siteOf(store.adapter);
    const people = Array.from({ length: 8 }, (_, index) => ({ browser: app.visitor(), sub: `racer${index}` }));
    for (const { browser, sub } of people) {
      await app.signIn({ browser, consent: { user: { sub, email: `${sub}@example.com` } } });
      await app.post('account/email', { email: 'won@example.com' }, browser);
    }
    const codes = sent.map(codeOf);
    const pages = await Promise.all(
      people.map(({ browser }, index) => app.post('account/confirm', { code: codes[index] }, browser)),
    );
    expect(pages.filter(({ redirect }) => redirect?.search === '?done=email')).toHaveLength(1);
    const left = await Promise.all(people.map(({ sub }) => store.adapter.getUserByEmail?.(`${sub}@example.com`)));
    expect(left.filter((user) => user)).toHaveLength(7);
  });
});
