import { inspect } from 'node:util';
import type { Page } from '@latchkey/testing';
import { expect } from 'vitest';
import { fields } from '../../src/store/fields.ts';
import { asked, leadsTo, sessionCookies } from '../flows/scene.ts';
import type { Case, ExpectedUser, Fixture } from './fixture.ts';
import type { Journey } from './journey.ts';
import { CLIENT } from './vendor.ts';

const RANDOM = /^[\w-]{43}$/;

/** The page leads to the vendor, with the parameters that it wants and no others. */
export function expectAuthorizationRequest(page: Page, id: string, fixture: Fixture, asks: Case['asks'] = {}): void {
  const { url, params, pkce, nonce } = fixture.authorization;
  const target = page.redirect;
  expect(target && target.origin + target.pathname + target.hash, `where the sign-in leads: ${page.location}`).toBe(
    url,
  );
  const wanted = {
    response_type: 'code',
    client_id: CLIENT.clientId,
    redirect_uri: `http://localhost:3000/auth/callback/${id}`,
    state: expect.stringMatching(RANDOM),
    ...(pkce === false ? {} : { code_challenge: expect.stringMatching(RANDOM), code_challenge_method: 'S256' }),
    ...(nonce ? { nonce: expect.stringMatching(RANDOM) } : {}),
    ...params,
    ...asks,
  };
  expect(asked(page)).toEqual(present(wanted));
}

/** Checks that the session and the callbacks contain the user. */
export async function expectUser({ app, told }: Journey, { user, emailVerified }: Fixture): Promise<void> {
  const { name = null, email = null, image = null } = user;
  expect(told[0]?.account.providerAccountId).toBe(user.id);
  const { user: shown } = (await app.session()) as { user: Partial<ExpectedUser> };
  const seen = { name: shown.name ?? null, email: shown.email ?? null, image: shown.image ?? null };
  expect(seen).toEqual({ name, email: email?.toLowerCase() ?? null, image });
  if (email === null) return;
  const status = told[0]?.emailStatus;
  if (emailVerified === true) expect(status).toBe('verified');
  else expect(status, 'the status of the address').not.toBe(emailVerified === false ? 'verified' : 'unverified');
}

/** One account is stored: the token answer's members that there are columns for. */
export function expectAccount({ app, store, vendor }: Journey, provider: string, fixture: Fixture): void {
  const answer = fixture.token.answer as Record<string, string | number>;
  const lifetime = Number(answer['expires_in']);
  const plain = ['access_token', 'refresh_token', 'scope', 'session_state'].map((name) => [name, answer[name] ?? null]);
  const wanted = {
    provider,
    providerAccountId: fixture.user.id,
    type: expect.stringMatching(/^(oauth|oidc)$/),
    userId: expect.any(String),
    ...Object.fromEntries(plain),
    token_type: String(answer['token_type'] ?? 'bearer').toLowerCase(),
    expires_at: lifetime > 0 ? Math.floor(app.clock.now().getTime() / 1000) + lifetime : null,
    id_token: fixture.idToken ? expect.any(String) : (answer['id_token'] ?? null),
    ...fixture.account,
    createdAt: expect.any(Date),
    label: fixture.user.email || fixture.user.name ? expect.any(String) : null,
  };
  const { users, accounts } = store.dump();
  // Only the application's own `profile()` may set further columns of its users, such as a role.
  // Two profiles have further members in Auth.js v5, too.
  if (provider !== 'click-up' && provider !== 'beyondidentity')
    expect(Object.keys(users[0] ?? {}).filter((member) => !Object.hasOwn(fields.users, member))).toEqual([]);
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).toEqual(present(wanted));
  expect(vendor.problems).toEqual([]);
}

/** The visitor reads a code and no more, has no session, and no secret is in the log. */
export async function expectRefusal(
  { app, vendor }: Journey,
  page: Page,
  code: RegExp = /^\/auth\/signin\?error=OAuthCallbackError$/,
): Promise<void> {
  expect(vendor.problems).toEqual([]);
  const target = leadsTo(page) ?? '';
  // Only then: it takes longer than the sign-in.
  expect(target, code.test(target) ? '' : inspect(app.log.errors.at(-1))).toMatch(code);
  expect(sessionCookies(app.browser)).toEqual([]);
  const shown = (await app.browser.follow(page)).text();
  expect(shown).toMatch(/^<!doctype html>/);
  expect(shown).not.toMatch(/\bat \S+ \(|\.ts:\d|TypeError|SyntaxError/);
  const logged = inspect(app.log.errors, { depth: 8 });
  const { access_token } = vendor.values();
  for (const secret of [CLIENT.clientSecret, access_token]) if (secret) expect(logged).not.toContain(secret);
}

function present(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
