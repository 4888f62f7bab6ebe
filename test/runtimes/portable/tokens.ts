import { Auth } from '@latchkey/core';
import { decode, encode } from '@latchkey/core/jwt';
import { application, cookieHeader, SECRET } from './application.ts';
import type { Cases, Sealed } from './case.ts';
import { ada } from './credentials.ts';
import { equal, fails, holds } from './expect.ts';

const salt = 'authjs.session-token';

/** Made by other programs: valid for 300 years, or without an end. */
const vectors = {
  secret: 'latchkey-vector-secret-of-no-worth',
  'that Auth.js has sealed':
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiV3UwSkpKUVlpUnl0T01HT0Y1WXpob21FYUQyRVExdEpsWHliMnpMN2JkYV9JbXZKT2hBb2J2QVJkZmNZOGxlVWI3aHdqQUR6aFc1VWNOdlUtMFFXcXcifQ..9GZMxbNpaPsiCFwqdkJwZA.mzKw8c-t16TmhKb5yxsT1K0UmmwtIYNc1wxuO1BZvyWjKZdb_w_7hfgtVffkGT5jUurOeEcaFNgoU5Iwbnc1sDvNmIV2NsSuZpdRIsaehuUGEzLLjxzR6FwYNiQbRS5Wlo3d6Oou2xMa9TET9sI04MkJ6lnI-2_HKfUXKUztfVk.J-KCETmdxf0bB37L0zUmBcpQGiM1ym4cDLnk6db6NPE',
  'that jose has sealed, A256GCM without a key id':
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..qYcdYruMyRYLECk-.5MoiT6DtovOfpGK-lDkZWMgmZaCh80CpP6bV7BRxI7QhZ2qW.OMpjff03Uuhp-s-oqbpEOw',
};

const { secret, ...known } = vectors;

/** Seals something for the other runtimes. */
export async function sealForOthers(by: string): Promise<Sealed> {
  const app = application({ providers: [ada] });
  await app.post('callback/credentials', { password: 'engine' });
  const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  const token = await encode({ secret: SECRET, salt: 'for others', token: { by, name: 'Ada Lövelace' } });
  return { by, token, cookies: cookieHeader(app), csrfToken };
}

export const tokens: Cases = {
  ...Object.fromEntries(
    Object.entries(known).map(([name, token]) => [
      `opens a token ${name}`,
      async () => {
        const claims = await decode({ token, secret: ['another-secret-of-32-characters-or-more', secret], salt });
        equal([claims?.sub, claims?.name], ['ada', 'Ada Lövelace']);
        await fails(decode({ token, secret, salt: 'another' }), 'TokenError');
        await fails(decode({ token, secret: `${secret}!`, salt }), 'TokenError');
      },
    ]),
  ),

  'opens no token that was changed': async () => {
    const token = await encode({ secret, salt, token: { sub: 'ada' } });
    equal((await decode({ token, secret, salt }))?.sub, 'ada');
    // The first character of each segment: the last one may carry bits that no byte is made of.
    const starts = [0, ...[...token.matchAll(/\.(?=[^.])/g)].map(({ index }) => index + 1)];
    equal(starts.length, 4, 'segments');
    for (const at of starts) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      await fails(decode({ token: changed, secret, salt }), 'TokenError');
    }
    await fails(decode({ token: token.slice(0, -1), secret, salt }), 'TokenError');
  },

  'opens no token that has expired': async () => {
    const token = await encode({ secret, salt, token: {}, maxAge: -60 });
    await fails(decode({ token, secret, salt }), 'TokenError');
  },
};

/** Opens the tokens of the other runtimes, in the second round. */
export function tokensOf(others: readonly Sealed[]): Cases {
  return Object.fromEntries(
    others.map(({ by, token, cookies, csrfToken }) => [
      `opens what was sealed by ${by}`,
      async () => {
        const claims = await decode({ token, secret: SECRET, salt: 'for others' });
        equal([claims?.['by'], claims?.name], [by, 'Ada Lövelace']);
        const config = { providers: [ada], secret: SECRET, trustHost: true };
        const url = 'http://localhost:3000/auth';
        const read = await Auth(new Request(`${url}/session`, { headers: { cookie: cookies } }), config);
        equal(((await read.json()) as { user?: object } | null)?.user, {
          name: 'Ada Lövelace',
          email: 'ada@example.com',
        });
        const left = await Auth(
          new Request(`${url}/signout`, {
            method: 'POST',
            headers: { cookie: cookies, 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ csrfToken }).toString(),
          }),
          config,
        );
        const cleared = left.headers.getSetCookie().some((cookie) => /^authjs\.session-token=;.*/.test(cookie));
        holds(left.status === 302 && cleared, 'the CSRF token of another runtime signs out');
      },
    ]),
  );
}
