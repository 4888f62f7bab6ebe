import { memoryAdapter } from '@latchkey/testing';
import * as library from '@simplewebauthn/server';
import { describe, expect, it } from 'vitest';
import { withEnv } from '../../src/config/env.ts';
import { relatedOrigins, serveRelatedOrigins } from '../../src/index.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { WebAuthnConfig } from '../../src/providers/webauthn.ts';
import WebAuthn from '../../src/providers/webauthn.ts';
import { deployment } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, oneDoor } from './doors.ts';
import { passkeyScene } from './passkey-scene.ts';
import { expectConfiguration, expectRefused, fakeProvider, leadsTo, oidc, SECRET, scene } from './scene.ts';

const functions = {
  generateAuthenticationOptions: library.generateAuthenticationOptions,
  generateRegistrationOptions: library.generateRegistrationOptions,
  verifyAuthenticationResponse: library.verifyAuthenticationResponse,
  verifyRegistrationResponse: library.verifyRegistrationResponse,
};

const wrong: [what: string, provider: Partial<WebAuthnConfig>, type: string, remedy: RegExp][] = [
  [
    'an origin has a path',
    { relayingParty: { origin: 'https://shop.test/' } },
    'AuthError',
    /`relayingParty\.origin` \(https:\/\/shop\.test\/\) must be an origin\. Write/,
  ],
  [
    'an origin of a list has no scheme',
    { relayingParty: { origin: ['https://shop.test', 'shop.test'] } },
    'AuthError',
    /\(shop\.test\) must be an origin/,
  ],
  ['the domain has a scheme', { relayingParty: { id: 'https://shop.test' } }, 'AuthError', /must be a domain\. Write/],
  [
    'the domain has a port',
    { relayingParty: { id: 'localhost:3000' } },
    'AuthError',
    /\(localhost:3000\) must be a domain/,
  ],
  [
    'a version is none',
    { simpleWebAuthnBrowserVersion: 'latest' as never },
    'AuthError',
    /\(latest\) must be a version\. Leave/,
  ],
  [
    'functions of the library are missing',
    { simpleWebAuthn: { ...functions, verifyRegistrationResponse: undefined as never } },
    'AuthError',
    /lacks verifyRegistrationResponse\. Take/,
  ],
  [
    'the library is older than 11',
    {
      simpleWebAuthn: {
        ...functions,
        verifyAuthenticationResponse: async ({ authenticator }: never) => ({ verified: Boolean(authenticator) }),
      },
    },
    'AuthError',
    /Install version 14 or newer/,
  ],
  [
    'the autofill has no field',
    { formFields: { email: { autocomplete: 'username' } } },
    'MissingWebAuthnAutocomplete',
    /Add it to one/,
  ],
];

const right: [what: string, provider: Partial<WebAuthnConfig>][] = [
  ['nothing is said', {}],
  [
    'the site has several origins',
    { relayingParty: { id: 'shop.test', origin: ['https://shop.test', 'https://shop.example:8443'] } },
  ],
  [
    'an app of Android may use the passkeys',
    { relayingParty: { origin: ['https://shop.test', 'android:apk-key-hash:abc-_123'] } },
  ],
  ['the version is one', { simpleWebAuthnBrowserVersion: 'v9.0' }],
  ['no version is wanted', { simpleWebAuthnBrowserVersion: false }],
  ['the module is handed in', { simpleWebAuthn: library }],
  ['the functions are handed in', { simpleWebAuthn: functions }],
  [
    'a function of the application translates for an old version',
    {
      simpleWebAuthn: {
        ...functions,
        verifyAuthenticationResponse: async ({ credential }: { credential: object }) =>
          library.verifyAuthenticationResponse({ authenticator: credential } as never),
      } as never,
    },
  ],
  ['there is no autofill', { enableConditionalUI: false, formFields: {} }],
];

describe.each(oneDoor)('a passkey provider through $name', (door) => {
  it.each(wrong)('is a configuration problem with its remedy if %s', async (_, provider, type, remedy) => {
    const app = passkeyScene(door, provider);
    expect((await app.browser.get('/auth/csrf')).status).toBe(200);
    expect((await app.ask()).status).toBe(500);
    expect(app.log.types()).toEqual([type]);
    expect(app.log.errors[0]?.message).toMatch(remedy);
  });

  it.each(right)('is accepted if %s', async (_, provider) => {
    const app = passkeyScene(door, provider);
    expect((await app.browser.get('/auth/csrf')).status).toBe(200);
    expect(app.log.errors).toEqual([]);
  });

  it('is a configuration problem if required members are missing', async () => {
    const bare = { id: 'p', name: 'P', type: 'webauthn', enableConditionalUI: false, formFields: {} };
    const config = { adapter: memoryAdapter(), experimental: { enableWebAuthn: true }, providers: [bare] };
    const app = scene(door, config as unknown as Partial<AuthConfig>);
    expect((await app.browser.get('/auth/webauthn-options/p')).status).toBe(500);
    expect(app.log.errors.map(({ message }) => message).join()).toContain('Take the provider from');
  });

  it('warns once that it is experimental', async () => {
    const app = passkeyScene(door);
    for (let count = 0; count < 3; count++) await app.ask();
    expect(app.log.warnings).toEqual([['experimental-webauthn']]);
  });

  it('may be one of two, if one of them has the autofill', async () => {
    const adapter = memoryAdapter();
    const config = { adapter, experimental: { enableWebAuthn: true } };
    const both = scene(door, { ...config, providers: [Passkey, WebAuthn] });
    expect((await both.browser.get('/auth/webauthn-options/passkey')).status).toBe(500);
    expect((await both.browser.get('/auth/webauthn-options/webauthn')).status).toBe(500);
    expect(both.log.types()).toEqual(['DuplicateConditionalUI']);
    expect(both.log.errors[0]?.message).toMatch(/`false` for all but one/);
    const one = scene(door, { ...config, providers: [Passkey, WebAuthn({ enableConditionalUI: false })] });
    expect((await one.browser.get('/auth/signin')).status).toBe(200);
  });

  it('is checked per configuration, and affects no other one in the process', async () => {
    await passkeyScene(door).ask();
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    expect((await app.browser.get('/auth/signin')).status).toBe(200);
    expect(app.log.warnings).toEqual([]);
  });
});

describe.each(oneDoor)('a library of the application through $name', (door) => {
  it('that does not verify the answer refuses the sign-in', async () => {
    const no = async () => ({
      verified: false,
      registrationInfo: { credential: { id: 'AA', publicKey: new Uint8Array(1), counter: 0 } },
    });
    const app = passkeyScene(door, { simpleWebAuthn: { ...functions, verifyRegistrationResponse: no } });
    expect(leadsTo(await app.register())).toBe('/auth/signin?error=WebAuthnVerificationError');
    expect(app.log.errors[0]?.message).toContain('the attestation of the new passkey is not valid');
    expect(app.adapter.dump().users).toEqual([]);
  });
});

describe('the factories', () => {
  it('have the values of Auth.js v5', () => {
    expect(WebAuthn()).toMatchObject({
      id: 'webauthn',
      name: 'WebAuthn',
      type: 'webauthn',
      enableConditionalUI: true,
      simpleWebAuthnBrowserVersion: 'v9.0.1',
      authenticationOptions: { timeout: 300_000 },
      registrationOptions: { timeout: 300_000 },
      formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
    });
    expect(Passkey()).toMatchObject({
      id: 'passkey',
      name: 'Passkey',
      type: 'webauthn',
      authenticationOptions: { timeout: 300_000, userVerification: 'required' },
      registrationOptions: {
        timeout: 300_000,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
      verifyAuthenticationOptions: { requireUserVerification: true },
      verifyRegistrationOptions: { requireUserVerification: true },
    });
  });

  it('keep members that the options do not replace', () => {
    const formFields = { nick: { autocomplete: 'username webauthn' } };
    const provider = Passkey({
      id: 'key',
      name: undefined as never,
      formFields,
      registrationOptions: { timeout: 1, authenticatorSelection: { residentKey: 'preferred' } },
    });
    expect(provider).toMatchObject({ id: 'key', name: 'Passkey', formFields });
    expect(Object.keys(provider.formFields)).toEqual(['nick']);
    expect(provider.registrationOptions).toEqual({
      timeout: 1,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    });
  });

  it('load the library with the first request for options, and not before', async () => {
    const loaded: string[] = [];
    const simpleWebAuthn = async () => {
      loaded.push('now');
      return library;
    };
    const app = passkeyScene(oneDoor[0] as Door, { simpleWebAuthn });
    for (const path of ['signin', 'csrf', 'providers', 'session', 'asset/passkey.js'])
      await app.browser.get(`/auth/${path}`);
    expect(loaded).toEqual([]);
    await app.ask();
    expect(loaded).toEqual(['now']);
  });
});

describe('several origins of one site', () => {
  const origins = ['https://shop.test', 'https://shop.example', 'http://localhost:3000'];
  const provider: Partial<WebAuthnConfig> = { relayingParty: { id: 'shop.test', origin: origins } };

  it.each(oneDoor)('use the same passkeys, and no other origin does, through $name', async (door) => {
    const app = passkeyScene(door, provider, { origin: 'https://shop.test' });
    expect(leadsTo(await app.register())).toBe('/');
    for (const [origin, error] of [
      ['https://shop.test', undefined],
      ['https://shop.example', undefined],
      ['https://evil.test', 'WebAuthnVerificationError'],
      ['https://shop.test.evil.test', 'WebAuthnVerificationError'],
    ] as const) {
      const browser = app.visitor();
      const page = await app.enter({ browser, lies: { origin } });
      expect(leadsTo(page), origin).toBe(error ? `/auth/signin?error=${error}` : '/');
    }
    const foreign = { browser: app.visitor(), lies: { rpId: 'shop.example' } };
    expect(leadsTo(await app.enter(foreign))).toBe('/auth/signin?error=WebAuthnVerificationError');
  });

  const outside = { origin: 'https://login.shop.test' };

  it.each(oneDoor)(
    'must be known: the host of a request alone is a configuration problem, through $name',
    async (door) => {
      const app = passkeyScene(door, {}, outside);
      expect((await app.ask()).status).toBe(302);
      expectConfiguration(app, await app.ask({ action: 'register', email: 'ada@example.com' }));
      expect(app.log.errors[0]?.message).toMatch(
        /\(https:\/\/login\.shop\.test\)\. Set `relayingParty\.origin`, or AUTH_URL/,
      );
      // Other requests are answered.
      expect((await app.browser.get('/auth/signin')).status).toBe(200);
      expect(await app.session()).toBeNull();
    },
  );

  it.each(oneDoor)(
    'are that of AUTH_URL, of a platform that sets the host, or on loopback, through $name',
    async (door) => {
      const env = async (values: Record<string, string>) => {
        const { config } = withEnv({ providers: [] }, { AUTH_SECRET: SECRET, ...values });
        return passkeyScene(door, {}, { ...outside, config: { [deployment]: config[deployment] } });
      };
      for (const values of [{ AUTH_URL: 'https://login.shop.test' }, { VERCEL: '1' }] as const)
        expect(leadsTo(await (await env({ ...values })).register())).toBe('/');
      for (const values of [{}, { CF_PAGES: '1' }]) {
        const unknown = await env({ ...values });
        expectConfiguration(unknown, await unknown.ask());
      }
      for (const origin of ['http://localhost:8080', 'http://app.localhost', 'http://127.0.0.1:3000'])
        expect(leadsTo(await passkeyScene(door, {}, { origin }).register())).toBe('/');
    },
  );

  it.each(oneDoor)('are `https://<id>` if only the id is configured, through $name', async (door) => {
    const relayingParty = { id: 'shop.test' };
    const own = passkeyScene(door, { relayingParty }, { origin: 'https://shop.test' });
    expect(leadsTo(await own.register())).toBe('/');
    // The host of the request is forged: the page is that of a sibling domain, or at another port.
    for (const origin of ['https://evil.shop.test', 'https://shop.test:8443']) {
      const app = passkeyScene(door, { relayingParty }, { origin });
      expectRefused(app, await app.register(), 'WebAuthnVerificationError');
      expect(app.adapter.dump().users).toEqual([]);
    }
    const both = passkeyScene(door, { relayingParty }, { ...outside, call: { isOriginFixed: true } });
    expect(leadsTo(await both.register())).toBe('/');
  });

  it.each(oneDoor)('do not include the origin of the request if they are configured, through $name', async (door) => {
    const relayingParty = { id: 'shop.test', origin: 'https://shop.test' };
    const app = passkeyScene(door, { relayingParty }, { origin: 'https://forum.shop.test' });
    expect(leadsTo(await app.register())).toBe('/auth/signin?error=WebAuthnVerificationError');
  });

  it('are published at /.well-known/webauthn if they are https', async () => {
    const config = {
      providers: [
        Passkey(provider),
        WebAuthn({ relayingParty: { origin: 'https://shop.test' } }),
        oidc(fakeProvider()),
      ],
    };
    expect(relatedOrigins(config)).toEqual({ origins: ['https://shop.test', 'https://shop.example'] });
    const ask = (path: string, method = 'GET') =>
      serveRelatedOrigins(new Request(`https://shop.test${path}`, { method }), config);
    const response = ask('/.well-known/webauthn');
    expect(response?.headers.get('content-type')).toBe('application/json');
    expect(await response?.json()).toEqual({ origins: ['https://shop.test', 'https://shop.example'] });
    for (const path of ['/', '/.well-known/webauthn/x', '/auth/.well-known/webauthn'])
      expect(ask(path)).toBeUndefined();
    expect(ask('/.well-known/webauthn', 'POST')).toBeUndefined();
    expect(relatedOrigins({ providers: [Passkey] })).toEqual({ origins: [] });
    const needsOptions = ((options: { id: string }) => Passkey({ id: options.id })) as never;
    expect(relatedOrigins({ providers: [needsOptions, undefined as never] })).toEqual({ origins: [] });
    const options = { relayingParty: { origin: 'https://over.test' } };
    expect(relatedOrigins({ providers: [{ ...Passkey(provider), options }] })).toEqual({
      origins: ['https://over.test'],
    });
  });
});
