import { DEFAULT_SECRET } from '@latchkey/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import { customFetch } from '../../src/symbols.ts';
import type { Profile } from '../../src/types/user.ts';
import { type Garbage, garbage, type Impostor, startImpostor } from './impostor.ts';
import { type App, application, cookieNames, origin, sessionCookie } from './scene.ts';

const started: Impostor[] = [];
let impostor: Impostor;
// A new address each time: what was learned about an issuer is remembered.
beforeEach(async () => {
  impostor = await startImpostor();
  started.push(impostor);
});
afterAll(() => Promise.all(started.map((one) => one.close())));

function visitor(options: Partial<OIDCConfig<Profile>> = {}): App {
  return application({
    id: 'idp',
    name: 'Impostor',
    type: 'oidc',
    issuer: impostor.issuer,
    clientId: 'client',
    clientSecret: DEFAULT_SECRET,
    ...options,
  });
}

async function callbackOf(app: App): Promise<string> {
  return impostor.provider.authorize((await app.begin()).location ?? '');
}

/** The visitor reads that it did not work, and is not signed in; nothing of the answer is shown. */
async function expectRefused(app: App, location: string | undefined, error: string): Promise<void> {
  expect(location).toBe(`${origin}/auth/signin?error=${error}&provider=idp`);
  expect(await app.session()).toBeNull();
  expect(cookieNames(app)).not.toContain(sessionCookie);
}

const kinds = Object.entries(garbage);

// Each endpoint is read in the same way; `attacks/provider/answers.test.ts` has all four.
describe.each(kinds)('a server that answers %s', (_, spoil) => {
  it('to a request for metadata: no sign-in starts, and it does when the answer is right again', async () => {
    impostor.spoilt.set('discovery', spoil);
    const app = visitor();
    await expectRefused(app, (await app.begin()).location, 'OAuthSignin');
    expect(app.log).toEqual(['OAuthSignInError']);
    impostor.spoilt.clear();
    expect((await app.comeBack(await callbackOf(app))).location).toBe(`${origin}/inside`);
  });

  it('to the code: no session', async () => {
    const app = visitor();
    const callback = await callbackOf(app);
    impostor.spoilt.set('token', spoil);
    await expectRefused(app, (await app.comeBack(callback)).location, 'OAuthCallbackError');
    expect(app.log).toEqual(['OAuthCallbackError']);
  });
});

describe('a server that answers too slowly', () => {
  const drip: Garbage = (response, right) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(right.slice(0, 1)), 20);
    response.on('close', () => clearInterval(timer));
  };

  /** The library's deadline is 10 seconds. The application may set a shorter one, here for slow answers only. */
  const impatient: typeof fetch = (input, init) => {
    if (impostor.spoilt.size === 0) return fetch(input, init);
    const deadline = AbortSignal.timeout(200);
    return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline });
  };

  it("to the code: no session, at the application's deadline, which is before the library's", async () => {
    const signals: unknown[] = [];
    const app = visitor({
      [customFetch]: (input, init) => {
        signals.push(init?.signal);
        return impatient(input, init);
      },
    });
    const callback = await callbackOf(app);
    impostor.spoilt.set('token', drip);
    await expectRefused(app, (await app.comeBack(callback)).location, 'OAuthCallbackError');
    expect(signals.at(-1)).toMatchObject({ aborted: false });
  });

  it("is asked with a deadline: the application's `fetch` gets a signal each time", async () => {
    const signals: unknown[] = [];
    const app = visitor({
      [customFetch]: (input, init) => {
        signals.push(init?.signal);
        return fetch(input, init);
      },
    });
    await app.comeBack(await callbackOf(app));
    expect(signals).toHaveLength(3);
    for (const signal of signals) expect(signal).toBeInstanceOf(AbortSignal);
  });

  it('to the first of two visitors keeps the second from nothing', async () => {
    impostor.spoilt.set('discovery', drip);
    const app = visitor({ [customFetch]: impatient });
    await expectRefused(app, (await app.begin()).location, 'OAuthSignin');
    impostor.spoilt.clear();
    const second = app.stranger();
    expect((await second.comeBack(await callbackOf(second))).location).toBe(`${origin}/inside`);
  });
});
