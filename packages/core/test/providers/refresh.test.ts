import { MemoryTokenVault } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tokensOf } from '../../src/tokens.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { startsSession } from '../flows/scene.ts';
import { type Answer, type Fixture, fixtureNames, type Json, type Refresh, readFixture } from './fixture.ts';
import { type Factory, type Journey, journey } from './journey.ts';
import { signedToken } from './keys.ts';
import { factoryOf } from './providers.ts';
import { headerProblems } from './request-problems.ts';
import { CLIENT, toResponse } from './vendor.ts';

afterEach(() => vi.useRealTimers());

const described = fixtureNames
  .map((name) => ({ name, fixture: readFixture(name) }))
  .flatMap(({ name, fixture }) => (fixture.refresh ? [{ name, fixture, refresh: fixture.refresh }] : []));
const refreshable = described.filter(({ refresh }) => refresh.answer);
const others = described.filter(({ refresh }) => !refresh.answer);

/** A visitor who has signed in with `offline: true`, at a vendor that answers refresh requests. */
class Refreshes {
  readonly way: Journey;
  /** The bodies of the refresh requests so far. */
  readonly sent: URLSearchParams[] = [];
  /** Faults of the refresh requests, in words. */
  readonly problems: string[] = [];
  /** The next answer is this refusal. */
  refusal: Answer | undefined;
  readonly #fixture: Fixture;
  readonly #refresh: Refresh;

  constructor(factory: Factory, fixture: Fixture, refresh: Refresh, offline: boolean) {
    this.#fixture = { ...fixture, token: { ...fixture.token, answer: issuedAnswer(fixture, refresh) } };
    this.#refresh = refresh;
    this.way = journey(factory, {
      fixture: this.#fixture,
      adapter: true,
      entry: (options) => factory({ ...options, ...(offline && { offline }), ...this.#withFetch(options) }) as never,
      config: (config) => ({ ...config, tokens: { store: MemoryTokenVault() } }),
    });
    vi.useFakeTimers({ toFake: ['Date'], now: this.way.app.clock.now() });
  }

  get = () => {
    const { app, store } = this.way;
    const [provider] = store.dump().accounts;
    return tokensOf(app.config as AuthConfig, {}).get(String(provider?.provider), { userId: String(provider?.userId) });
  };

  /** Lets time pass, for the application and for the vendor. */
  later(seconds: number): void {
    this.way.app.clock.advance(seconds);
    vi.setSystemTime(this.way.app.clock.now());
  }

  /** The vendor's `fetch`, which answers refresh requests, too. */
  #withFetch(options: Record<PropertyKey, unknown>): object {
    const [symbol] = Object.getOwnPropertySymbols(options);
    if (!symbol) throw new Error('the vendor has no fetch of its own');
    const rest = options[symbol] as typeof fetch;
    const fetchOrRefresh: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const body = request.method === 'POST' ? new URLSearchParams(await request.clone().text()) : undefined;
      return body?.get('grant_type') === 'refresh_token' ? this.#answer(request, body) : rest(input, init);
    };
    return { [symbol]: fetchOrRefresh };
  }

  async #answer(request: Request, body: URLSearchParams): Promise<Response> {
    const { token } = this.#fixture;
    this.sent.push(body);
    if (request.url !== new URL(token.url).href) this.problems.push(`sent to ${request.url}`);
    const values = this.way.vendor.values();
    this.problems.push(...headerProblems(request, token, { isToken: true, values }));
    if (this.refusal) return toResponse(this.refusal);
    const { id_token, ...answer } = this.#refresh.answer ?? {};
    return Response.json({ ...answer, ...(id_token !== undefined && { id_token: await this.#idToken() }) });
  }

  #idToken(): Promise<string> {
    const { discovery, idToken: { $alg: alg, ...claims } = {} } = this.#fixture;
    const listed = discovery?.answer['id_token_signing_alg_values_supported'] as string[] | undefined;
    const iat = Math.floor(this.way.app.clock.now().getTime() / 1000);
    const all = { iss: discovery?.answer['issuer'], aud: CLIENT.clientId, iat, exp: iat + 3600, ...claims };
    return signedToken(all, { alg: String(alg ?? listed?.[0] ?? 'RS256'), secret: CLIENT.clientSecret });
  }
}

/** The answer to the code of a sign-in with `offline: true`. */
function issuedAnswer({ token }: Fixture, { issued }: Refresh): Record<string, Json> {
  return { ...(token.answer as Record<string, Json>), ...issued };
}

async function signedIn(name: string, fixture: Fixture, refresh: Refresh, offline = true): Promise<Refreshes> {
  const made = new Refreshes(await factoryOf(name), fixture, refresh, offline);
  expect(startsSession(await made.way.signIn())).toBe(true);
  expect(made.way.vendor.problems).toEqual([]);
  return made;
}

describe.each(refreshable)('the refresh tokens of $name', ({ name, fixture, refresh }) => {
  const issued = issuedAnswer(fixture, refresh);
  const { answer = {}, scopes, error } = refresh;

  it('are exchanged as the vendor requires when an access token expires', async () => {
    const visitor = await signedIn(name, fixture, refresh);
    expect(await visitor.get()).toMatchObject({ accessToken: issued['access_token'] });
    expect(visitor.sent).toEqual([]);
    visitor.later(Number(issued['expires_in']));
    const now = visitor.way.app.clock.now().getTime();
    expect(await visitor.get()).toEqual({
      accessToken: answer['access_token'],
      expiresAt: new Date(now + Number(answer['expires_in']) * 1000),
      scopes,
      ...(fixture.idToken && { idToken: expect.stringMatching(/^ey/) }),
    });
    visitor.later(Number(answer['expires_in']));
    await visitor.get();
    expect(visitor.problems).toEqual([]);
    const credentials = credentialsOf(fixture);
    expect(visitor.sent.map((form) => Object.fromEntries(form))).toEqual([
      { grant_type: 'refresh_token', refresh_token: issued['refresh_token'], ...credentials },
      {
        grant_type: 'refresh_token',
        refresh_token: answer['refresh_token'] ?? issued['refresh_token'],
        ...credentials,
      },
    ]);
  });

  it('require a new sign-in when the vendor refuses one', async () => {
    const visitor = await signedIn(name, fixture, refresh);
    visitor.refusal = error ?? { status: 400, answer: { error: 'invalid_grant' } };
    visitor.later(Number(issued['expires_in']));
    await expect(visitor.get()).rejects.toMatchObject({ code: 'revoked', remedy: 'sign-in' });
    expect(visitor.way.app.log.types()).toEqual([]);
    expect(visitor.sent).toHaveLength(1);
  });
});

describe.each(others)('the access token of $name', ({ name, fixture, refresh }) => {
  it('requires a new sign-in when it expires, because the vendor has no refresh tokens', async () => {
    const visitor = await signedIn(name, fixture, refresh, false);
    visitor.later(Number(issuedAnswer(fixture, refresh)['expires_in']));
    await expect(visitor.get()).rejects.toMatchObject({ code: 'no-refresh-token', remedy: 'sign-in' });
    expect(visitor.sent).toEqual([]);
  });
});

/** The client authentication in the body of a token request. */
function credentialsOf({ token: { auth = 'basic' } }: Fixture): object {
  return auth === 'post' ? { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret } : {};
}
