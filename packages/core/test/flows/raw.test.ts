import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import type { CallOptions } from '../../src/context.ts';
import { AccessDenied, InvalidCheck, MissingCSRF, OAuthCallbackError, UnknownAction } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import { raw, skipCSRFCheck } from '../../src/symbols.ts';
import type { AuthConfig, ResponseInternal } from '../../src/types/config.ts';
import { fakeProvider, log, oidc, SECRET } from './scene.ts';

const ORIGIN = 'http://localhost:3000';

function rawConfig(more: Partial<AuthConfig> = {}): AuthConfig & { raw: typeof raw } {
  return { providers: [], secret: SECRET, trustHost: true, logger: log(), skipCSRFCheck, ...more, raw };
}

function post(path: string, headers: Record<string, string> = {}): Request {
  return new Request(`${ORIGIN}/auth/${path}`, { method: 'POST', headers });
}

describe('raw replies', () => {
  it('are plain data: redirect and cookies, not serialized', async () => {
    const fake = fakeProvider();
    const reply = await Auth(post('signin/fake'), rawConfig({ providers: [oidc(fake)] }));
    expect(reply).not.toBeInstanceOf(Response);
    expect(reply.redirect).toContain(fake.endpoints.authorization);
    expect(reply.cookies).toContainEqual({
      name: 'authjs.state',
      value: expect.stringMatching(/^ey/),
      options: expect.objectContaining({ httpOnly: true, sameSite: 'lax', path: '/', secure: false, maxAge: 900 }),
    });
  });

  it("are the caller's: headers and cookies of another visitor's reply are others", async () => {
    // The third parameter, which bindings pass, is not in the type of raw calls.
    const auth = Auth as (request: Request, config: AuthConfig, call: CallOptions) => Promise<unknown>;
    const ask = async (): Promise<ResponseInternal> =>
      (await auth(new Request(`${ORIGIN}/auth/session`), rawConfig(), {
        cookies: 'session',
      })) as ResponseInternal;
    const reply = await ask();
    reply.cookies?.push({ name: 'mine', value: '1', options: {} });
    Object.assign(reply.headers as object, { mine: '1' });
    const next = await ask();
    expect(next.cookies).toEqual([]);
    expect(next.headers).not.toHaveProperty('mine');
  });

  it('have a body that is not serialized', async () => {
    const reply: ResponseInternal = await Auth(new Request(`${ORIGIN}/auth/session`), rawConfig());
    expect(reply.body).toBeNull();
    expect(new Headers(reply.headers as HeadersInit).get('content-type')).toBe('application/json');
    const list = await Auth(new Request(`${ORIGIN}/auth/providers`), rawConfig({ providers: [oidc(fakeProvider())] }));
    expect(list.body).toMatchObject({ fake: { id: 'fake' } });
    for (const { status: _, redirect: __, cookies: ___, ...rest } of [reply, list])
      expect(Object.keys(rest).sort()).toEqual(['body', 'headers']);
  });

  it('stay raw if a script asks for a URL', async () => {
    const fake = fakeProvider();
    const reply = await Auth(
      post('signin/fake', { 'x-auth-return-redirect': '1' }),
      rawConfig({ providers: [oidc(fake)] }),
    );
    expect(reply.redirect).toContain(fake.endpoints.authorization);
    expect(reply.status).toBeUndefined();
  });

  it('of failures are thrown AuthErrors, logged once', async () => {
    const cases: [Request, Partial<AuthConfig>, new (...args: never[]) => Error][] = [
      [post('signin/x'), { skipCSRFCheck: undefined }, MissingCSRF],
      [post('error'), {}, UnknownAction],
      [
        post('callback/credentials'),
        { providers: [Credentials({ authorize: () => ({ id: 'x' }) })], callbacks: { signIn: () => false } },
        AccessDenied,
      ],
      [
        new Request(`${ORIGIN}/auth/callback/fake?error=access_denied`),
        { providers: [oidc(fakeProvider())] },
        OAuthCallbackError,
      ],
      [new Request(`${ORIGIN}/auth/callback/fake?code=x`), { providers: [oidc(fakeProvider())] }, InvalidCheck],
    ];
    for (const [request, more, type] of cases) {
      const logger = log();
      await expect(Auth(request, rawConfig({ ...more, logger }))).rejects.toBeInstanceOf(type);
      expect(logger.errors).toHaveLength(1);
      expect(logger.errors[0]).toBeInstanceOf(type);
    }
  });

  it('of failures are responses if a script asks for a URL', async () => {
    const reply: unknown = await Auth(
      post('signin/x', { 'x-auth-return-redirect': '1' }),
      rawConfig({ skipCSRFCheck: undefined }),
    );
    expect(reply).toBeInstanceOf(Response);
    expect(await (reply as Response).json()).toEqual({ url: `${ORIGIN}/auth/signin?error=MissingCSRF` });
  });

  it('are responses to a bad request or with a wrong configuration', async () => {
    const bad: unknown = await Auth(new Request(`${ORIGIN}/auth/nowhere`), rawConfig());
    expect(bad).toBeInstanceOf(Response);
    expect((bad as Response).status).toBe(400);
    const wrong: unknown = await Auth(new Request(`${ORIGIN}/auth/csrf`), rawConfig({ secret: undefined }));
    expect(wrong).toBeInstanceOf(Response);
    expect((wrong as Response).status).toBe(500);
  });

  it.each([true, 'return-type-raw', Symbol('return-type-raw')])('are not made by %s', async (value) => {
    const answer: unknown = await Auth(new Request(`${ORIGIN}/auth/session`), { ...rawConfig(), raw: value } as never);
    expect(answer).toBeInstanceOf(Response);
  });
});
