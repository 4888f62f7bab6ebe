import { describe, expect, it } from 'vitest';
import type { JWT } from '../../src/jwt.ts';
import { sessionCookies } from '../flows/scene.ts';
import { credentialsSite, oidcSite, storeSite } from '../spec/site.ts';
import { SESSION, text } from './edges.ts';

const DAY = 86_400;
const MONTH = 2_592_000;

describe('a session', () => {
  it.each([
    [MONTH + 14, true],
    [MONTH + 15, false],
  ])('in its cookie counts %i seconds after its last reading: %s', async (seconds, counts) => {
    const app = oidcSite();
    // Whole seconds, as tokens have them.
    app.clock.set(new Date(Math.floor(Date.now() / 1000) * 1000));
    await app.enter();
    const value = app.browser.cookies.get(SESSION)?.value ?? '';
    app.clock.advance(seconds);
    app.browser.cookies.set(SESSION, value);
    expect((await app.session()) !== null).toBe(counts);
  });

  it.each([
    [0, true],
    [0.001, false],
  ])('in the store counts %d seconds after 30 days: %s', async (more, counts) => {
    const app = storeSite();
    await app.enter();
    const value = app.browser.cookies.get(SESSION)?.value ?? '';
    app.clock.advance(MONTH + more);
    app.browser.cookies.set(SESSION, value);
    expect((await app.session()) !== null).toBe(counts);
    expect(app.methods().includes('deleteSession')).toBe(!counts);
  });

  it.each([
    [DAY - 0.001, false],
    [DAY, true],
  ])('in the store is extended after %d seconds: %s', async (seconds, isExtended) => {
    const app = storeSite();
    await app.enter();
    app.clock.advance(seconds);
    await app.session();
    expect(app.methods().includes('updateSession')).toBe(isExtended);
  });

  it.each([
    [DAY - 1, false],
    [DAY, true],
  ])(
    'in its cookie is issued anew after %i seconds where the host wants that only when it is due: %s',
    async (seconds, isIssued) => {
      const app = oidcSite({}, {}, { call: { onlyWhenDue: true } });
      app.clock.set(new Date(Math.floor(Date.now() / 1000) * 1000));
      await app.enter();
      app.clock.advance(seconds);
      expect((await app.browser.get('/auth/session')).cookie(SESSION) !== undefined).toBe(isIssued);
    },
  );
});

/** An application with tokens of its own, of any length. */
function sized(length: number) {
  const read: string[] = [];
  const app = credentialsSite(undefined, {
    jwt: {
      encode: () => text(length),
      decode: ({ token = '' }): JWT => {
        read.push(token);
        return { sub: '7', name: 'Ada' };
      },
    },
  });
  return { ...app, read };
}

const CHUNK = 3936;

describe("a session's token", () => {
  it.each([
    [CHUNK, 1],
    [CHUNK + 1, 2],
    [15 * CHUNK, 15],
    [15 * CHUNK + 1, 0],
  ])('of %i characters is set in so many cookies: %i', async (length, count) => {
    const app = sized(length);
    await app.enter();
    expect(sessionCookies(app.browser)).toHaveLength(count);
    for (const { value } of app.browser.cookies.all()) expect(value.length).toBeLessThanOrEqual(CHUNK);
    expect((await app.session()) !== null).toBe(count > 0);
    expect(app.read).toEqual(count > 0 ? [text(length)] : []);
  });

  it.each([
    [4 * CHUNK, []],
    [4 * CHUNK + 1, ['session-cookie-size']],
  ])('of %i characters warns the owner: %j', async (length, warnings) => {
    const app = sized(length);
    await app.enter();
    expect(app.log.warnings.map(([code]) => code)).toEqual(warnings);
  });

  it('is read from twenty cookies at most', async () => {
    const app = sized(1);
    const cookie = Array.from({ length: 21 }, (_, index) => `${SESSION}.${index}=${'abcdefghijklmnopqrstu'[index]}`);
    await app.browser.get('/auth/session', { headers: { cookie: cookie.join('; ') } });
    expect(app.read).toEqual(['abcdefghijklmnopqrst']);
  });
});
