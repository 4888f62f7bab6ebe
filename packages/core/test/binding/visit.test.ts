import {
  applyToHeaders,
  type EnvConfigured,
  statusOf,
  Visit,
  type VisitRequest,
  visits,
  webRequest,
} from '@latchkey/core/binding';
import { AuthError, CookiesNotWritable, SessionRequired } from '@latchkey/core/errors';
import type { LegacyReader } from '@latchkey/core/types';
import { describe, expect, it, vi } from 'vitest';
import { names, origin, signedIn, visitor } from './visitor.ts';

/** A visit of a browser with these cookies. */
function visitOf(
  { configured, jar }: { configured: EnvConfigured; jar: ReadonlyMap<string, string> },
  own: Partial<VisitRequest> = {},
  init: RequestInit = {},
): Visit {
  const cookie = [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const request = new Request(`${origin}/page`, { headers: { cookie }, ...init });
  return new Visit(configured, { ...webRequest(request), origin, ...own });
}

const soon = { session: { updateAge: 0 } };
const password = { password: 'password', redirect: false };

describe('the session of a visit', () => {
  it('is read once, and each caller gets a copy', async () => {
    const session = vi.fn(({ session }) => session);
    const visit = visitOf(await signedIn({ callbacks: { session } }));
    const [first, second] = await Promise.all([visit.session(), visit.session()]);
    expect(first).toEqual(second);
    expect(first?.user?.name).toBe('Ada');
    expect(first).not.toBe(second);
    expect(session).toHaveBeenCalledTimes(1);
  });

  it('is read again if the framework has changed the request', async () => {
    const ada = await signedIn();
    let cookie: string | undefined;
    const visit = new Visit(ada.configured, { origin, header: () => cookie, headers: () => new Headers() });
    expect(await visit.session()).toBeNull();
    cookie = [...ada.jar].map((pair) => pair.join('=')).join('; ');
    expect((await visit.session())?.user?.name).toBe('Ada');
  });

  it('is renewed on the head of the response, unless the visit only reads', async () => {
    const ada = await signedIn(soon);
    const visit = visitOf(ada);
    await visit.session();
    const headers = new Headers();
    applyToHeaders(headers, visit);
    expect(headers.getSetCookie().join()).toContain('authjs.session-token=');
    expect(headers.get('cache-control')).toBe('private, no-store');
    for (const own of [{ renew: 'never' } as const, { canSetCookies: () => false }]) {
      const reading = visitOf(ada, own);
      expect(await reading.session()).not.toBeNull();
      expect(reading.renewed).toEqual([]);
    }
  });

  it('is null if a callback fails, and the cookie stays', async () => {
    const session = vi.fn(({ session }) => session);
    const ada = await signedIn({ ...soon, callbacks: { session } });
    session.mockRejectedValueOnce(new Error('the database is down'));
    const visit = visitOf(ada);
    expect(await visit.session()).toBeNull();
    expect(visit.renewed).toEqual([]);
    expect(await visitOf(ada).session()).not.toBeNull();
  });

  it('rejects if the configuration has a problem, and if the request has no host', async () => {
    const broken = visitOf(visitor({ secret: '' }));
    const error = await broken.session().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuthError);
    expect(statusOf(error)).toBe(500);
    const homeless = visitOf(visitor(), { origin: '' });
    expect(await homeless.session().catch(statusOf)).toBe(400);
    expect(statusOf(new SessionRequired())).toBe(401);
    expect(statusOf(new Error('of the application'))).toBeUndefined();
  });

  it('makes the response personal', async () => {
    const ada = await signedIn();
    const visit = visitOf(ada);
    expect(visit.isPersonal).toBe(false);
    expect(visitOf(ada, { streams: true }).isPersonal).toBe(true);
    expect(visitOf(visitor(), { streams: true }).isPersonal).toBe(false);
    await visit.session();
    expect(visit.isPersonal).toBe(true);
  });

  it('makes a streamed response personal if another library has started it', async () => {
    const legacy: LegacyReader = {
      name: 'old',
      cookies: ['sid'],
      until: new Date(Date.now() + 60_000),
      read: () => ({ userId: '1', expires: new Date(Date.now() + 60_000), claims: { name: 'Ada' } }),
    };
    const old = { ...visitor({ legacy: [legacy] }), jar: new Map([['sid', '1']]) };
    const headers = new Headers();
    let isSent = false;
    const visit = visitOf(old, { streams: true, canSetCookies: () => !isSent });
    applyToHeaders(headers, visit);
    isSent = true;
    expect((await visit.session())?.user?.name).toBe('Ada');
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('a call of a visit', () => {
  it('changes the session that the same request sees', async () => {
    const visit = visitOf(visitor(), {}, { method: 'POST' });
    expect(await visit.session()).toBeNull();
    await visit.signIn('credentials', password);
    expect((await visit.session())?.user?.name).toBe('Ada');
    await visit.signOut();
    expect(await visit.session()).toBeNull();
    const headers = new Headers();
    applyToHeaders(headers, visit);
    const last = headers.getSetCookie().filter((line) => line.startsWith('authjs.session-token='));
    expect(last).toHaveLength(1);
    expect(last[0]).toMatch(/^authjs\.session-token=;/);
  });

  it('discards the renewal of the session that was read before', async () => {
    const ada = await signedIn(soon);
    const visit = visitOf(ada, {}, { method: 'POST', headers: cookiesOf(ada.jar) });
    const reading = visit.session();
    await visit.signOut();
    await reading;
    expect(visit.renewed).toEqual([]);
    expect(visit.callCookies.join()).toContain('authjs.session-token=;');
  });

  it('returns the address without a redirect of the framework, and redirects with one', async () => {
    const visit = visitOf(visitor(), {}, { method: 'POST' });
    expect(await visit.signIn('credentials', { password: 'password', redirectTo: '/me' })).toBe(`${origin}/me`);
    const redirect = (url: string): never => {
      throw new Error(`to ${url}`);
    };
    await expect(visitOf(visitor(), { redirect }).signIn()).rejects.toThrow(`to ${origin}/auth/signin`);
  });

  it('gives its cookies to the framework at once, if that sets them', async () => {
    const scene = visitor();
    const visit = visitOf(scene, { setCookie: (cookie) => void scene.set.push(cookie) }, { method: 'POST' });
    await visit.signIn('credentials', password);
    expect(names(scene.set)).toContain('authjs.session-token');
    expect(visit.callCookies).toEqual([]);
  });

  it('fails before any effect if cookies cannot be set', async () => {
    const signIn = vi.fn(() => true);
    const visit = visitOf(visitor({ callbacks: { signIn } }), { canSetCookies: () => false });
    await expect(visit.signIn('credentials', password)).rejects.toThrow(CookiesNotWritable);
    expect(signIn).not.toHaveBeenCalled();
  });

  it.each([
    ['POST', 'https://evil.example', false],
    ['POST', origin, true],
    ['GET', 'https://evil.example', true],
    [undefined, 'https://evil.example', false],
  ])('by %s from %s is carried out: %s', async (method, from, isDone) => {
    const visit = visitOf(visitor(), {
      method,
      header: (name) => (name === 'origin' ? from : undefined),
      headers: () => new Headers({ origin: from }),
    });
    const call = visit.signIn('credentials', password);
    if (isDone) await expect(call).resolves.toBe(`${origin}/`);
    else await expect(call).rejects.toThrow(AuthError);
  });
});

describe('the visits of a binding', () => {
  it('are one per request, with one call of the configuration function', async () => {
    const { configured } = visitor();
    const config = vi.fn(() => configured.config);
    const of = visits<Request>({
      config,
      key: (request) => request,
      describe: (request) => ({ ...webRequest(request), origin }),
    });
    const request = new Request(origin);
    expect(await of(request)).toBe(await of(request));
    expect(await of(new Request(origin))).not.toBe(await of(request));
    expect(config).toHaveBeenCalledTimes(2);
  });
});

function cookiesOf(jar: ReadonlyMap<string, string>): { cookie: string } {
  return { cookie: [...jar].map((pair) => pair.join('=')).join('; ') };
}
