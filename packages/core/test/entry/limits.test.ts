import { describe, expect, it } from 'vitest';
import { handle } from '../../src/auth.ts';
import { settingsFor } from '../../src/config/settings.ts';
import { readNodeRequest } from '../../src/entry/request.ts';
import { decode } from '../../src/jwt.ts';
import { handSealed } from '../crypto/oracle.ts';
import { doors } from '../flows/doors.ts';
import { fakeProvider, oidc, SECRET, scene } from '../flows/scene.ts';
import { doors as rawDoors } from '../fuzz/sent.ts';

const ORIGIN = 'http://localhost:3000';
const SESSION = 'authjs.session-token';
const FORM = 'application/x-www-form-urlencoded';
const config = { providers: [], secret: SECRET, trustHost: true, logger: { error: () => undefined } };
const asked = { method: 'POST', origin: ORIGIN, target: '/auth/signout', end: 'whole' } as const;
const mount = { config, basePath: '/auth', call: {} };

describe.each(rawDoors.map((send, index) => [doors[index]?.name, send] as const))('a body through %s', (name, send) => {
  // Within the limit it is read, and then refused because it has no CSRF token.
  it.each([
    [262_144, 302],
    [262_145, 413],
  ])('of %i bytes gets status %i', async (bytes, status) => {
    const form = { ...asked, headers: [['content-type', FORM]] as const, body: 'x'.repeat(bytes) };
    expect((await send(form, mount)).status).toBe(status);
    if (name?.startsWith('handle'))
      expect((await send({ ...form, body: '', parsed: 'x'.repeat(bytes) }, mount)).status).toBe(status);
  });

  it.each([
    [1000, 302],
    [1001, 413],
  ])('with %i fields of a form gets status %i', async (count, status) => {
    const fields = Array.from({ length: count }, (_, index): [string, string] => [`field${index}`, 'x']);
    const form = { ...asked, headers: [['content-type', FORM]] as const };
    const sameName = Array<string>(count).fill('field=x').join('&');
    for (const body of [new URLSearchParams(fields).toString(), sameName])
      expect((await send({ ...form, body }, mount)).status).toBe(status);
    if (name?.startsWith('handle'))
      expect((await send({ ...form, body: '', parsed: Object.fromEntries(fields) }, mount)).status).toBe(status);
  });

  it.each([
    [10_000, 302],
    [10_001, 413],
  ])('with %i members and elements in JSON gets status %i', async (count, status) => {
    const members = Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 0]));
    const list = { data: Array<number>(count - 1).fill(0) };
    const json = { ...asked, headers: [['content-type', 'application/json']] as const };
    for (const parsed of [members, list]) {
      expect((await send({ ...json, body: JSON.stringify(parsed) }, mount)).status).toBe(status);
      if (name?.startsWith('handle')) expect((await send({ ...json, body: '', parsed }, mount)).status).toBe(status);
    }
  });

  it.each([
    [64, 302],
    [65, 400],
  ])('with %i nested objects or lists gets status %i', async (levels, status) => {
    const inner = levels - 1;
    for (const body of [
      `${'{"a":'.repeat(inner)}{}${'}'.repeat(inner)}`,
      `{"a":${'['.repeat(inner)}${']'.repeat(inner)}}`,
    ]) {
      const json = { ...asked, headers: [['content-type', 'application/json']] as const, body };
      expect((await send(json, mount)).status).toBe(status);
    }
  });
});

describe('a body that a Node host sends without end', () => {
  it('is read up to sixteen times its limit, so that clients get the response, and no further', async () => {
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

describe.each(doors)('a Cookie header, through $name', (by) => {
  it('of 64 KiB is read; one that is longer is not read, and none of its cookies is cleared', async () => {
    const fake = fakeProvider();
    const app = scene(by, { providers: [oidc(fake)] });
    await app.signIn(fake);
    const session = `${SESSION}=${app.browser.cookies.get(SESSION)?.value}; more=`;
    const [most, more] = [65_536, 65_537].map((length) => session + 'x'.repeat(length - session.length)) as [
      string,
      string,
    ];
    const read = await app.browser.get('/auth/session', { headers: { cookie: most } });
    expect(read.json()).toMatchObject({ user: { email: 'ada@example.com' } });
    const unread = await app.browser.get('/auth/session', { headers: { cookie: more } });
    expect(unread.json()).toBeNull();
    expect(unread.cookie(SESSION)).toBeUndefined();
  });
});

/** Returns a sealed token of this length. Its parts grow in steps: the loops find a header and contents that fit. */
function tokenOf(length: number): string | undefined {
  const header = (more: number): string => JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', more: 'x'.repeat(more) });
  const claims = (block: number): string => JSON.stringify({ sub: 'ada', filler: 'x'.repeat(98_000 + 16 * block) });
  const written = (bytes: number): number => Math.ceil((bytes * 4) / 3);
  // Contents are padded to the next sixteen bytes; the rest is the vector, the tag and four dots.
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
  it('of 128 KiB is opened, a longer one is not', async () => {
    const [most, more] = [131_072, 131_073].map(tokenOf);
    expect([most?.length, more?.length]).toEqual([131_072, 131_073]);
    expect(await decode({ token: most, ...making })).toMatchObject({ sub: 'ada' });
    await expect(decode({ token: more, ...making })).rejects.toThrow('the token is not valid');
  });
});
