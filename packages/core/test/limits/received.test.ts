import { describe, expect, it } from 'vitest';
import { handle } from '../../src/auth.ts';
import { settingsFor } from '../../src/config/settings.ts';
import { readNodeRequest } from '../../src/entry/read.ts';
import { decode } from '../../src/jwt.ts';
import { handSealed } from '../crypto/oracle.ts';
import { doors } from '../flows/doors.ts';
import { fakeProvider, leadsTo, oidc, SECRET, scene } from '../flows/scene.ts';
import { sends } from '../properties/send.ts';
import { credentialsSite, oidcSite } from '../spec/site.ts';
import { door, edge, ORIGIN, SESSION, text } from './edges.ts';

const FORM = 'application/x-www-form-urlencoded';
const config = { providers: [], secret: SECRET, trustHost: true, logger: { error: () => undefined } };
const asked = { method: 'POST', origin: ORIGIN, path: '/auth/signout', broken: false, parsed: undefined };

describe.each(Object.entries(sends))('a body through %s', (name, send) => {
  // Within the limit it is read, and then refused for what it lacks: our token.
  it.each([
    [262_144, 302],
    [262_145, 413],
  ])('of %i bytes is answered by %i', async (bytes, status) => {
    const form = { ...asked, headers: { 'content-type': FORM }, body: text(bytes) };
    expect((await send(form, config)).status).toBe(status);
    if (name.startsWith('handle'))
      expect((await send({ ...form, body: '', parsed: text(bytes) }, config)).status).toBe(status);
  });

  it.each([
    [64, 302],
    [65, 400],
  ])('with %i objects or lists inside one another is answered by %i', async (levels, status) => {
    const inner = levels - 1;
    for (const body of [
      `${'{"a":'.repeat(inner)}{}${'}'.repeat(inner)}`,
      `{"a":${'['.repeat(inner)}${']'.repeat(inner)}}`,
    ]) {
      const json = { ...asked, headers: { 'content-type': 'application/json' }, body };
      expect((await send(json, config)).status).toBe(status);
    }
  });
});

describe('a body that a Node host sends without end', () => {
  it('is read up to sixteen times its limit, so that clients hear the answer, and no further', async () => {
    const taken = { bytes: 0 };
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken.bytes += 65_536;
        yield new Uint8Array(65_536);
      }
    }
    const request = { method: 'POST', headers: { 'content-type': FORM }, [Symbol.asyncIterator]: endless };
    const reply = await handle(readNodeRequest(request, `${ORIGIN}/auth/signout`), settingsFor(config));
    expect([reply.status, taken.bytes]).toEqual([413, 16 * 262_144 + 65_536]);
  });
});

describe('a return address', () => {
  const ways: [string, (address: string) => Promise<string | undefined>][] = [
    ['path', async (path) => (await scene(door, {}).post('signout', { callbackUrl: path })).location],
    [
      'address',
      async (address) =>
        (await scene(door, { callbacks: { redirect: ({ url }) => url } }).post('signout', { callbackUrl: address }))
          .location,
    ],
  ];
  it.each(ways)('of 2048 characters is where the visitor goes, one of 2049 is not (%s)', async (kind, leave) => {
    const start = kind === 'path' ? '/' : `${ORIGIN}/`;
    const [most, more] = edge(2048).map((length) => start + text(length - start.length)) as [string, string];
    expect(await leave(most)).toBe(kind === 'path' ? ORIGIN + most : most);
    expect(await leave(more)).toBe(ORIGIN);
  });

  it('of our own origin, which needs no judge, is bounded as well', async () => {
    const [most, more] = edge(2048).map((length) => `${ORIGIN}/${text(length - ORIGIN.length - 1)}`);
    expect((await scene(door, {}).post('signout', { callbackUrl: most })).location).toBe(most);
    expect((await scene(door, {}).post('signout', { callbackUrl: more })).location).toBe(ORIGIN);
  });
});

describe.each(doors)('a Cookie header, through $name', (by) => {
  it('of 64 KiB is read; of one character more nothing is, and nothing of it is cleared', async () => {
    const fake = fakeProvider();
    const app = scene(by, { providers: [oidc(fake)] });
    await app.signIn(fake);
    const session = `${SESSION}=${app.browser.cookies.get(SESSION)?.value}; more=`;
    const [most, more] = edge(65_536).map((length) => session + text(length - session.length)) as [string, string];
    const read = await app.browser.get('/auth/session', { headers: { cookie: most } });
    expect(read.json()).toMatchObject({ user: { email: 'ada@example.com' } });
    const unread = await app.browser.get('/auth/session', { headers: { cookie: more } });
    expect(unread.json()).toBeNull();
    expect(unread.cookie(SESSION)).toBeUndefined();
  });
});

/** A sealed token of so many characters. Its parts grow in steps: of headers and contents of some lengths, one pair comes out right. */
function tokenOf(length: number): string | undefined {
  const header = (more: number): string => JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', more: text(more) });
  const claims = (block: number): string => JSON.stringify({ sub: 'ada', filler: text(98_000 + 16 * block) });
  const written = (bytes: number): number => Math.ceil((bytes * 4) / 3);
  // Contents are filled up to the next sixteen bytes; the rest is the vector, the tag and four dots.
  const sealed = (block: number): number => written(Math.floor(claims(block).length / 16) * 16 + 16) + 22 + 43 + 4;
  for (let block = 0; block < 8; block++) {
    const rest = length - sealed(block);
    for (let more = 0; more < 200; more++) {
      if (written(header(more).length) === rest) return handSealed(header(more), claims(block), making);
    }
  }
  return undefined;
}

const making = { secret: SECRET, salt: SESSION };

describe('a sealed token', () => {
  it('of 128 KiB is opened, a longer one is not looked at', async () => {
    const [most, more] = edge(131_072).map((length) => tokenOf(length));
    expect([most?.length, more?.length]).toEqual([131_072, 131_073]);
    expect(await decode({ token: most, ...making })).toMatchObject({ sub: 'ada' });
    await expect(decode({ token: more, ...making })).rejects.toThrow('the token is not valid');
  });
});

describe("a provider's posted answer", () => {
  it('of 5000 characters is handed on, a longer one is refused', async () => {
    const formPost = { authorization: { params: { response_mode: 'form_post', scope: 'openid' } } };
    const app = oidcSite({}, formPost);
    const post = async (length: number): Promise<string | undefined> => {
      const fields = { code: text(length - JSON.stringify([['code', '']]).length) };
      return leadsTo(await app.browser.post('/auth/callback/fake', fields, { site: 'cross-site' }));
    };
    expect(await post(5000)).toMatch(/^\/auth\/callback\/fake\?form_post=/);
    expect(await post(5001)).toBe('/auth/signin?error=InvalidCheck');
  });
});

describe('what a provider says of an error', () => {
  it('is logged up to 200 and 500 characters', async () => {
    const app = oidcSite();
    for (const length of [200, 201]) {
      const query = new URLSearchParams({ error: text(length), error_description: text(length + 300) });
      await app.finish(`/auth/callback/fake?${query}`);
      expect(app.log.errors.at(-1)?.cause).toMatchObject({ error: text(200), error_description: text(500) });
    }
  });
});

describe('a name that is typed', () => {
  it('counts by its first 1024 characters', async () => {
    const app = credentialsSite(() => null, { rateLimit: { credentials: { limit: 1 } } });
    const attempt = async (name: string): Promise<number> => (await app.post('callback/credentials', { name })).status;
    expect(await attempt(`${text(1023)}a`)).toBe(302);
    expect(await attempt(`${text(1023)}b`)).toBe(302);
    expect(await attempt(`${text(1023)}ab`)).toBe(429);
  });
});
