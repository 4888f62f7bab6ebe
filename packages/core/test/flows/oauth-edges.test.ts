import type { FaultyEndpoint } from '@latchkey/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import { type Door, oneDoor } from './doors.ts';
import {
  asked,
  expectRefused,
  fakeProvider,
  leadsTo,
  oauthScene,
  oidc,
  oidcScene,
  scene,
  startsSession,
} from './scene.ts';
import { memoryStore } from './store.ts';

const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => undefined } as const;

/** An application whose provider `fake` has these options, beside other providers. */
function site(door: Door, options: Partial<OIDCConfig<Profile>>, others: AuthConfig['providers']) {
  const fake = fakeProvider();
  const store = memoryStore();
  const tokens = { createVerificationToken: () => null, useVerificationToken: () => null };
  const app = scene(door, {
    providers: [oidc(fake, options), ...others],
    adapter: { ...store.adapter, ...tokens },
    session: { strategy: 'jwt' },
  });
  return { app, fake, store };
}

describe.each(oneDoor)('a new account with an address that is not proven, through $name', (door) => {
  const second = (own: Partial<OIDCConfig<Profile>> = {}) => oidc(fakeProvider(), { id: 'second', ...own });
  const linking = second({ allowDangerousEmailAccountLinking: true });
  const eve = { sub: 'eve', email: 'eve@example.com' };
  const linkingItself = { allowDangerousEmailAccountLinking: true };

  it.each<
    [
      claim: boolean | undefined,
      Partial<OIDCConfig<Profile>>,
      AuthConfig['providers'],
      result: 'user' | 'mail' | 'refusal',
    ]
  >([
    // The address is not verified, and its owner cannot come later.
    [undefined, { emailVerification: 'never' }, [second()], 'user'],
    [true, { emailVerification: 'never' }, [second()], 'user'],
    // Its owner could come later.
    [true, { emailVerification: 'never' }, [mail], 'mail'],
    [true, { emailVerification: 'never' }, [linking], 'refusal'],
    [true, { emailVerification: 'never', ...linkingItself }, [], 'refusal'],
    [undefined, {}, [linking], 'refusal'],
    [false, {}, [mail], 'mail'],
    [undefined, { unverifiedEmail: 'refuse' }, [], 'refusal'],
    [undefined, { unverifiedEmail: 'verify' }, [mail], 'mail'],
    // The owner of the site trusts the provider, or takes the risk.
    [undefined, { emailVerification: 'always' }, [linking, mail], 'user'],
    [undefined, linkingItself, [], 'user'],
    [false, { unverifiedEmail: 'allow' }, [linking, mail], 'user'],
    // A mail proves the address first.
    [undefined, {}, [mail], 'mail'],
  ])('with the claim %j and the options %j beside %j ends in a %s', async (claim, options, others, result) => {
    const { app, fake, store } = site(door, options, others);
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, email_verified: claim }) };
    const page = await app.signIn(fake, { consent: { user: eve } });
    if (result === 'mail') expect(leadsTo(page)).toBe('/auth/verify-request?provider=mail&type=email&code=1');
    if (result === 'refusal') expectRefused(app, page, 'OAuthCreateAccount');
    expect(startsSession(page)).toBe(result === 'user');
    const proofs = [...store.users.values()].map(({ emailVerified }) => emailVerified);
    expect(proofs).toEqual(result === 'user' ? [null] : []);
  });

  it('names the option in the log', async () => {
    const { app, fake } = site(door, {}, [linking]);
    fake.overrides.idToken = { claims: ({ email_verified: _, ...claims }) => claims };
    await app.signIn(fake, { consent: { user: eve } });
    expect(app.log.errors[0]?.message).toContain('`emailVerification: "always"`');
  });
});

describe.each(oneDoor)('the request and the callback of a provider through $name', (door) => {
  it('have each parameter once, also if the configured URL has one that the library sets', async () => {
    const fake = fakeProvider();
    const url = `${fake.endpoints.authorization}?state=fixed&code_challenge=fixed&theme=dark`;
    const app = scene(door, { providers: [oidc(fake, { authorization: url, checks: ['pkce', 'state'] })] });
    const started = await app.begin();
    const params = started.redirect?.searchParams;
    for (const name of ['state', 'code_challenge'])
      expect(params?.getAll(name)).toEqual([expect.not.stringMatching(/^fixed$/)]);
    expect(asked(started).theme).toBe('dark');
  });

  it.each(['code', 'state', 'iss', 'error', 'error_description', 'response', 'id_token'])(
    'are refused with two of %s',
    async (name) => {
      const { app, fake } = oidcScene(door);
      const address = await fake.authorize((await app.begin()).location ?? '');
      const page = await app.finish(`${address}&${name}=1&${name}=2`);
      expect(startsSession(page)).toBe(false);
      expect(app.log.errors[0]?.message).toMatch(`the callback has more than one "${name}"`);
    },
  );

  it.each([
    ['pkce', 'authjs.pkce.code_verifier'],
    ['state', 'authjs.state'],
    ['nonce', 'authjs.nonce'],
  ] as const)('are distinguished in the log: the check that has failed is %s', async (check, cookie) => {
    const { app, fake } = oidcScene(door, { checks: [check] });
    const address = await fake.authorize((await app.begin()).location ?? '');
    app.browser.cookies.delete(cookie);
    await app.finish(address);
    expect(app.log.types()).toEqual(['InvalidCheck']);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', check });
  });
});

const [door] = oneDoor as [Door];

describe("a provider's response", () => {
  it.each([
    [1_048_576, true],
    [1_048_577, false],
  ])('of %i bytes is read: %s', async (bytes, isRead) => {
    const { app, fake } = oauthScene(door);
    fake.misbehave({ userinfo: { body: '{"sub":"1","id":"1","name":"Ada"}'.padEnd(bytes) } });
    const page = await app.signIn(fake, { id: 'plain' });
    if (isRead) expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    else expectRefused(app, page, 'OAuthCallbackError');
  });
});

describe('the deadline of ten seconds', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const controller = new AbortController();
      const reason = new DOMException('The operation timed out.', 'TimeoutError');
      setTimeout(() => controller.abort(reason), milliseconds);
      return controller.signal;
    });
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const endpoints: FaultyEndpoint[] = ['discovery', 'jwks', 'token', 'userinfo'];
  const cases = endpoints.flatMap((endpoint) => [[endpoint, 9999, true] as const, [endpoint, 10_000, false] as const]);

  it.each(cases)('of %s: a response after %i ms counts: %s', async (endpoint, wait, isInTime) => {
    const { app, fake } = oidcScene(door, { idToken: endpoint !== 'userinfo' });
    fake.misbehave({ [endpoint]: { delay: wait } });
    const signIn = async () => {
      const started = await app.begin();
      return started.location?.startsWith(fake.issuer) ? app.finish(await fake.authorize(started.location)) : started;
    };
    const page = signIn();
    while (fake.count(endpoint) === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(wait);
    expect(startsSession(await page)).toBe(isInTime);
  });
});
