import { describe, expect, it } from 'vitest';
import { idpConfig, latchkey, peer } from '../peers/libraries.ts';
import { makeKit } from './kit.ts';
import { steady } from './steady.ts';

interface Raw {
  status?: number;
  headers?: HeadersInit;
  cookies?: { name: string; value: string; options: object }[];
  body?: unknown;
  redirect?: string;
}

/** Both libraries' answers in raw mode; what was thrown stands for an answer. */
async function ask(address: string, init: RequestInit = {}, config: object = {}): Promise<unknown[]> {
  return Promise.all(
    [latchkey, peer].map(async (library) => {
      const full = {
        secret: 'a secret that both servers know, 32+',
        trustHost: true,
        logger: { warn: () => undefined, error: () => undefined },
        providers: [idpConfig(library, makeKit(library).provider, { checks: ['pkce', 'state'] })],
        raw: library.raw,
        ...config,
      };
      try {
        return await library.auth(new Request(`http://localhost:3000/auth/${address}`, init), full);
      } catch (error) {
        return error;
      }
    }),
  );
}

/** Returns the parts of an answer that a framework's binding reads. */
function read(answer: unknown): unknown {
  const { status, headers, cookies, body, redirect } = answer as Raw;
  return steady({
    status,
    redirect,
    type: new Headers(headers).get('content-type')?.split(';')[0],
    body: typeof body === 'string' ? '<text>' : body,
    cookies: cookies?.map(({ name, value, options }) => ({ name, options, filled: value !== '' })),
  });
}

describe('raw mode', () => {
  it.each(['session', 'csrf', 'providers', 'signout', 'verify-request'])(
    'answers GET %s with the same plain object as Auth.js',
    async (address) => {
      const [ours, theirs] = await ask(address);
      expect(ours).not.toBeInstanceOf(Response);
      expect(read(ours)).toEqual(read(theirs));
    },
  );

  it('answers a start of a sign-in with the same plain object', async () => {
    const body = new URLSearchParams({ callbackUrl: '/inside' });
    const [csrf] = await ask('csrf');
    const { cookies, body: answer } = csrf as { cookies: { value: string }[]; body: { csrfToken: string } };
    body.set('csrfToken', answer.csrfToken);
    const headers = { cookie: `authjs.csrf-token=${encodeURIComponent(cookies[0]?.value ?? '')}` };
    const [ours, theirs] = await ask('signin/idp', { method: 'POST', body, headers });
    expect(read(ours)).toEqual(read(theirs));
    expect((ours as Raw).redirect).toContain('https://idp.test/authorize?');
  });

  it.each([
    ['POST signout without a token', 'signout', { method: 'POST' }, 'MissingCSRF'],
    ['a callback of a provider that is not configured', 'callback', {}, 'InvalidProvider'],
  ])('throws %s to the caller', async (_, address, init, type) => {
    const [ours, theirs] = await ask(address, init);
    expect(ours).toBeInstanceOf(Error);
    expect(ours).toMatchObject({ type });
    expect(theirs).toMatchObject({ type });
  });

  it('answers with a Response where the request or the configuration cannot be used', async () => {
    for (const [address, init, config] of [
      ['nothing', {}, {}],
      ['session', { method: 'PUT' }, {}],
      ['signin', {}, { secret: undefined }],
    ] as const) {
      const [ours, theirs] = (await ask(address, init, config)) as [Response, Response];
      expect(ours).toBeInstanceOf(Response);
      expect(ours.status).toBe(theirs.status);
    }
  });
});
