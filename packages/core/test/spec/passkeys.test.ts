import { memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Adapter } from '../../src/adapters.ts';
import Passkey from '../../src/providers/passkey.ts';
import WebAuthn from '../../src/providers/webauthn.ts';
import type { WebAuthnOptionsResponseBody } from '../../src/types.ts';
import { CHALLENGE, stored } from '../flows/passkey-scene.ts';
import { expectConfiguration, leadsTo, startsSession } from '../flows/scene.ts';
import { passkeySite, site } from './site.ts';

/** The first line of the log after somebody has asked for the sign-in page. */
async function problem(config: object): Promise<string | undefined> {
  const app = site({ providers: [Passkey], ...config });
  const page = await app.browser.get('/auth/signin');
  return page.status === 500 ? app.log.errors[0]?.message : undefined;
}

const experimental = { enableWebAuthn: true };

describe('what the service does', () => {
  it('provider type `webauthn`; ids `webauthn` and `passkey`', () => {
    for (const [provider, id] of [
      [WebAuthn(), 'webauthn'],
      [Passkey(), 'passkey'],
    ] as const)
      expect(provider).toMatchObject({ id, type: 'webauthn' });
  });

  it('webauthn is experimental: it is behind `experimental.enableWebAuthn`', async () => {
    expect(await problem({ adapter: memoryAdapter() })).toContain('Set `experimental.enableWebAuthn: true`');
    expect(await problem({ adapter: memoryAdapter(), experimental })).toBeUndefined();
  });

  it('webauthn needs an adapter', async () => {
    expect(await problem({ experimental })).toContain('Passkeys are kept in a store. Add an `adapter`');
  });
});

describe('authentication', () => {
  it('webauthn | authenticators are registered and used through the `webauthn-options` action', async () => {
    const app = passkeySite();
    const made = await app.options({ action: 'register', email: 'ada@example.com' });
    await app.answer('register', app.phone.create(made.options, 'http://localhost:3000'));
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    const browser = app.visitor();
    const used = await app.options({ action: 'authenticate' }, browser);
    const page = await app.answer('authenticate', app.phone.get(used.options, browser.origin), { browser });
    expect(startsSession(page)).toBe(true);
  });

  it('webauthn | the challenge is kept in the `webauthnChallenge` cookie', async () => {
    const app = passkeySite({ cookies: { webauthnChallenge: { name: 'asked', options: { sameSite: 'strict' } } } });
    await app.ask();
    expect(app.browser.cookies.get('asked')).toMatchObject({ sameSite: 'Strict', httpOnly: true });
    expect(app.browser.cookies.has(CHALLENGE)).toBe(false);
    expect(leadsTo(await app.register())).toBe('/');
    expect(app.browser.cookies.has('asked')).toBe(false);
  });
});

describe('HTTP actions', () => {
  it('webauthn-options | GET | JSON union of authenticate and register', async () => {
    expectTypeOf<WebAuthnOptionsResponseBody['action']>().toEqualTypeOf<'authenticate' | 'register'>();
    type Options<A> = Extract<WebAuthnOptionsResponseBody, { action: A }>['options'];
    expectTypeOf<Options<'register'>['rp']['name']>().toEqualTypeOf<string>();
    expectTypeOf<Options<'register'>>().toExtend<PublicKeyCredentialCreationOptionsJSON>();
    expectTypeOf<Options<'authenticate'>>().toExtend<PublicKeyCredentialRequestOptionsJSON>();
    const app = passkeySite();
    expect((await app.ask()).json()).toEqual({ action: 'authenticate', options: expect.any(Object) });
    const asked = await app.ask({ action: 'register', email: 'ada@example.com' });
    expect(asked.json()).toEqual({ action: 'register', options: expect.any(Object) });
  });

  it('callback | POST | of a webauthn provider signs in', async () => {
    expect(startsSession(await passkeySite().register())).toBe(true);
  });
});

describe('adapter interface', () => {
  const needed = [
    'createAuthenticator',
    'getAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
    'getAccount',
    'getUserByEmail',
    'getUserByAccount',
  ] as const satisfies readonly (keyof Adapter)[];

  it.each(needed)('when `%s` is missing and a passkey is configured, it is told up front', async (method) => {
    const adapter = { ...memoryAdapter(), [method]: undefined };
    const told = await problem({ adapter, experimental, session: { strategy: 'jwt' } });
    expect(told).toContain(`the adapter lacks methods that this configuration needs: ${method}.`);
  });

  it('createAuthenticator | AdapterAuthenticator', async () => {
    const app = passkeySite();
    await app.register();
    const id = stored(app.phone.passkeys[0]?.id ?? '');
    const [row] = app.adapter.calls.filter(({ method }) => method === 'createAuthenticator').map(({ args }) => args[0]);
    expect(row).toMatchObject({ credentialID: id, providerAccountId: id, counter: 0, userId: expect.any(String) });
  });

  it('getAuthenticator, updateAuthenticatorCounter, getAccount | by credentialID, with newCounter, by id and provider', async () => {
    const app = passkeySite();
    await app.register();
    await app.enter({ browser: app.visitor() });
    const id = stored(app.phone.passkeys[0]?.id ?? '');
    const last = (method: string) => app.adapter.calls.findLast((call) => call.method === method)?.args;
    expect(last('getAuthenticator')).toEqual([id]);
    expect(last('updateAuthenticatorCounter')).toEqual([id, 1]);
    expect(last('getAccount')).toEqual([id, 'passkey']);
  });

  it('listAuthenticatorsByUserId | by userId', async () => {
    const app = passkeySite();
    await app.register();
    await app.ask({ email: 'ada@example.com' }, app.visitor());
    const [user] = app.adapter.dump().users;
    expect(app.adapter.calls.at(-1)).toEqual({ method: 'listAuthenticatorsByUserId', args: [user?.id] });
  });
});

describe('states and transitions', () => {
  it('Authenticator | successful use | counter updated through `updateAuthenticatorCounter`', async () => {
    const app = passkeySite();
    await app.register();
    expect(app.adapter.dump().authenticators[0]?.counter).toBe(0);
    await app.enter({ browser: app.visitor() });
    expect(app.adapter.dump().authenticators[0]?.counter).toBe(1);
    await app.enter({ browser: app.visitor(), lies: { signature: 'broken' } });
    expect(app.adapter.dump().authenticators[0]?.counter).toBe(1);
  });
});

describe('errors', () => {
  it('`createAuthenticator` throws on failure | an error shown to the user, and the operation fails', async () => {
    const app = passkeySite();
    app.adapter.fail('createAuthenticator');
    expectConfiguration(app, await app.register());
    expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [], authenticators: [], sessions: [] });
  });

  it('`updateAuthenticatorCounter` throws on failure | an error shown to the user, and the operation fails', async () => {
    const app = passkeySite();
    await app.register();
    app.adapter.fail('updateAuthenticatorCounter');
    const page = await app.enter({ browser: app.visitor() });
    expectConfiguration(app, page);
  });

  it('`listAuthenticatorsByUserId` throws on failure | an error shown to the user, and the operation fails', async () => {
    const app = passkeySite();
    await app.register();
    app.adapter.fail('listAuthenticatorsByUserId');
    expectConfiguration(app, await app.ask({ action: 'register' }));
  });

  it('AccountNotLinked | a passkey of another user than the one who is signed in', async () => {
    const app = passkeySite();
    await app.register();
    const bob = app.visitor();
    await app.register('bob@example.com', { browser: bob, authenticator: new SoftwareAuthenticator() });
    const { options } = await app.options({ action: 'authenticate' }, bob);
    const page = await app.answer(
      'authenticate',
      app.phone.get({ challenge: options.challenge, rpId: 'localhost' }, bob.origin),
      { browser: bob },
    );
    expect(leadsTo(page)).toBe('/auth/signin?error=AccountNotLinked');
  });
});
