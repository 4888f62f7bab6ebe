import { Auth, type AuthConfig } from '@latchkey/core';
import Passkey from '@latchkey/core/providers/passkey';
import {
  Browser,
  type CreationOptionsJSON,
  memoryAdapter,
  type Page,
  type PasskeyAnswer,
  type RequestOptionsJSON,
  SoftwareAuthenticator,
} from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { loadPeer } from '../peers/load.ts';

type Library = 'authjs' | 'latchkey';
interface Theirs {
  Auth(request: Request, config: object): Promise<Response>;
}

// Auth.js with SimpleWebAuthn 9, which it needs.
const authjs = await loadPeer<Theirs>('webauthn9', '@auth/core');
const { default: TheirPasskey } = await loadPeer<{ default: (options: object) => object }>(
  'webauthn9',
  '@auth/core/providers/passkey',
);

/**
 * SimpleWebAuthn 9 refuses one signature in 128: those in which a number has less than 32 bytes
 * (MasterKale/SimpleWebAuthn#594).
 */
class Phone extends SoftwareAuthenticator {
  override use(...[passkey, ...how]: Parameters<SoftwareAuthenticator['use']>): PasskeyAnswer {
    const { counter } = passkey;
    for (;;) {
      const answer = super.use(passkey, ...how);
      if (isOfFullLength(Buffer.from(String(answer.response['signature']), 'base64url'))) return answer;
      passkey.counter = counter;
    }
  }
}

/**
 * Tells whether both numbers of a P-256 signature (RFC 3279 §2.2.3) have 32 bytes, apart from the leading zero of DER.
 */
function isOfFullLength(signature: Buffer): boolean {
  const length = signature[3] ?? 0;
  const numbers = [signature.subarray(4, 4 + length), signature.subarray(6 + length)];
  return numbers.every((number) => number.length - (number[0] === 0 ? 1 : 0) === 32);
}

/** A site that is moved from one library to the other, and its visitors. */
function site(strategy: 'jwt' | 'database' = 'database') {
  const adapter = memoryAdapter({ optional: false });
  const errors: Error[] = [];
  const common = {
    adapter,
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    experimental: { enableWebAuthn: true },
    session: { strategy },
    logger: { error: (error: Error) => void errors.push(error), warn: () => undefined, debug: () => undefined },
  };
  const place: { library: Library } = { library: 'authjs' };
  const ours = { ...common, basePath: '/auth', providers: [Passkey] } as unknown as AuthConfig & { raw?: never };
  const handler = (request: Request): Promise<Response> =>
    place.library === 'latchkey'
      ? Auth(request, ours)
      : authjs.Auth(request, { ...common, basePath: '/auth', providers: [TheirPasskey({})] });
  const visitor = (): Browser => new Browser(handler);
  const phone = new Phone();

  async function ask(library: Library, browser: Browser, params: Record<string, string>) {
    place.library = library;
    const page = await browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams(params)}`);
    return page.json<{ action: string; options: CreationOptionsJSON & RequestOptionsJSON }>();
  }
  async function answer(library: Library, browser: Browser, action: string, data: object): Promise<Page> {
    place.library = library;
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return browser.post('/auth/callback/passkey', { csrfToken, action, data: JSON.stringify(data) });
  }
  return {
    adapter,
    errors,
    phone,
    visitor,
    ask,
    answer,
    /** Makes a passkey; the question goes to one library, the answer to the other or the same. */
    async register(asked: Library, answered: Library = asked, browser = visitor()): Promise<Browser> {
      const { options } = await ask(asked, browser, { action: 'register', email: 'ada@example.com' });
      await answer(answered, browser, 'register', phone.create(options, browser.origin));
      return browser;
    },
    async enter(asked: Library, answered: Library = asked, browser = visitor()): Promise<Browser> {
      const { options } = await ask(asked, browser, { action: 'authenticate' });
      await answer(answered, browser, 'authenticate', phone.get(options, browser.origin));
      return browser;
    },
    async session(browser: Browser, library: Library = 'latchkey'): Promise<unknown> {
      place.library = library;
      return (await browser.get('/auth/session')).json();
    },
  };
}

const ada = { user: { email: 'ada@example.com' } };
const other: Record<Library, Library> = { authjs: 'latchkey', latchkey: 'authjs' };

describe.each(['jwt', 'database'] as const)('passkeys and %s sessions', (strategy) => {
  it.each(['authjs', 'latchkey'] as const)('made by %s sign in at the other, and back again', async (library) => {
    const app = site(strategy);
    await app.register(library);
    for (const next of [other[library], library, other[library]]) {
      const browser = await app.enter(next);
      expect(await app.session(browser, next)).toMatchObject(ada);
      expect(await app.session(browser, other[next])).toMatchObject(ada);
    }
    expect(app.adapter.dump().authenticators).toMatchObject([{ counter: 3 }]);
    expect(app.errors).toEqual([]);
  });

  it.each(['authjs', 'latchkey'] as const)('a sign-in begun at %s is finished at the other', async (library) => {
    const app = site(strategy);
    await app.register(library);
    const browser = await app.enter(library, other[library]);
    expect(await app.session(browser)).toMatchObject(ada);
    expect(app.errors).toEqual([]);
  });

  it.each(['authjs', 'latchkey'] as const)('a registration begun at %s is finished at the other', async (library) => {
    const app = site(strategy);
    const browser = await app.register(library, other[library]);
    expect(await app.session(browser)).toMatchObject(ada);
    expect(app.adapter.dump()).toMatchObject({ users: [{ email: 'ada@example.com' }], authenticators: [{}] });
    expect(app.errors).toEqual([]);
  });

  it.each(['authjs', 'latchkey'] as const)('a further passkey begun at %s is stored by the other', async (library) => {
    const app = site(strategy);
    // Latchkey adds passkeys only in a browser in which it has signed the user in.
    const browser = await app.enter('latchkey', 'latchkey', await app.register(library));
    const { options } = await app.ask(library, browser, { action: 'register' });
    expect(options.excludeCredentials).toMatchObject([{ id: app.phone.passkeys[0]?.id }]);
    const key = new SoftwareAuthenticator({ algorithm: 'EdDSA' });
    await app.answer(other[library], browser, 'register', key.create(options, browser.origin));
    const { users, authenticators } = app.adapter.dump();
    expect(users).toHaveLength(1);
    expect(authenticators.map(({ userId }) => userId)).toEqual([users[0]?.id, users[0]?.id]);
    expect(app.errors).toEqual([]);
  });

  it('a further passkey is refused by Latchkey in a session of Auth.js', async () => {
    const app = site(strategy);
    const browser = await app.register('authjs');
    const { options } = await app.ask('latchkey', browser, { action: 'register' });
    const made = new SoftwareAuthenticator().create(options, browser.origin);
    const page = await app.answer('latchkey', browser, 'register', made);
    expect(page.location).toContain('error=WebAuthnVerification');
    expect(app.adapter.dump().authenticators).toHaveLength(1);
  });
});

describe('rows of both libraries', () => {
  it('have the same members of the same forms', async () => {
    const rows = await Promise.all(
      (['authjs', 'latchkey'] as const).map(async (library) => {
        const app = site();
        await app.register(library);
        const { accounts, authenticators } = app.adapter.dump();
        return { account: accounts[0], authenticator: authenticators[0] };
      }),
    );
    const [theirs, ours] = rows.map(({ account, authenticator }) => ({
      account: Object.keys(account ?? {}).sort(),
      authenticator: Object.keys(authenticator ?? {}).sort(),
      sizes: [authenticator?.credentialID.length, authenticator?.credentialPublicKey.length],
      transports: authenticator?.transports,
      device: [authenticator?.credentialDeviceType, authenticator?.credentialBackedUp, authenticator?.counter],
    }));
    expect(ours).toEqual(theirs);
  });
});

describe("Auth.js's provider, with SimpleWebAuthn 9", () => {
  it.each([
    ['as it is', () => TheirPasskey({})],
    [
      'in our provider',
      () => Passkey({ simpleWebAuthn: (TheirPasskey({}) as { simpleWebAuthn: never }).simpleWebAuthn }),
    ],
  ])('is a problem of the configuration, with its remedy: %s', async (_, provider) => {
    const messages: string[] = [];
    const response = await Auth(new Request('http://localhost:3000/auth/webauthn-options/passkey'), {
      adapter: memoryAdapter(),
      secret: 'a-secret-for-tests-of-more-than-32-characters',
      trustHost: true,
      experimental: { enableWebAuthn: true },
      logger: { error: ({ message }) => void messages.push(message), warn: () => undefined },
      providers: [provider() as never],
    });
    expect(response.status).toBe(500);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /old version of @simplewebauthn\/server. Install version 14 or newer.*providers\/passkey/,
    );
  });

  it('is found out, too, when it is what is installed', async () => {
    const errors: Error[] = [];
    const old = () => loadPeer('webauthn9', '@simplewebauthn/server') as Promise<never>;
    const response = await Auth(new Request('http://localhost:3000/auth/webauthn-options/passkey'), {
      adapter: memoryAdapter(),
      secret: 'a-secret-for-tests-of-more-than-32-characters',
      trustHost: true,
      experimental: { enableWebAuthn: true },
      logger: { error: (error) => void errors.push(error), warn: () => undefined },
      providers: [Passkey({ simpleWebAuthn: old })],
    });
    expect(response.headers.get('location')).toContain('error=Configuration');
    expect(errors.map(({ message }) => message).join()).toContain('Install version 14 or newer');
  });
});
