import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { AuthError, CredentialsSignin, MissingSecret, MissingSecretError } from '../../src/errors.ts';
import { raw, skipCSRFCheck } from '../../src/symbols.ts';
import type { ErrorPageParam, SignInPageErrorParam } from '../../src/types.ts';
import { signInErrorText } from '../../src/views/sign-in-errors.ts';
import { expectRefused, leadsTo, type Scene } from '../flows/scene.ts';
import { credentialsSite, mailSite, oidcSite, site, storeSite } from './site.ts';

const fails = (): never => {
  throw new Error('down');
};

class Locked extends CredentialsSignin {
  override code = 'locked';
}

const locked = (): never => {
  throw new Locked('too many tries');
};

describe('AuthError', () => {
  it('base error class (extends the platform `Error`)', async () => {
    const app = oidcSite({ callbacks: { signIn: () => false } });
    await app.enter();
    expect(app.log.errors[0]).toBeInstanceOf(AuthError);
    expect(app.log.errors[0]).toBeInstanceOf(Error);
  });

  it('constructor `(message?, errorOptions?)`; `type`, `cause?` (with `err?`), `message`, `name`, `stack?`', () => {
    const err = new Error('down');
    const error = new AuthError('It went wrong', { cause: err });
    expect(error).toMatchObject({ type: 'AuthError', name: 'AuthError', cause: { err }, stack: expect.any(String) });
    expect(error.message).toMatch(/^It went wrong\. See /);
    expect(new AuthError()).toBeInstanceOf(AuthError);
  });

  it('`type` identifies the error in logs; it is logged through `logger.error`', async () => {
    const app = site();
    await app.browser.post('/auth/signout');
    expect(app.log.errors.map((error) => [error.type, error.constructor.name])).toEqual([
      ['MissingCSRF', 'MissingCSRF'],
    ]);
  });
});

describe('CredentialsSignin, MissingSecretError, AccessDenied', () => {
  it('CredentialsSignin | may be thrown from `authorize()`; `code`: default `credentials`', async () => {
    const app = credentialsSite(() => {
      throw new CredentialsSignin();
    });
    expectRefused(app, await app.enter(), 'CredentialsSignin&code=credentials');
  });

  it('CredentialsSignin | `code` is configurable and placed in the `code` query parameter of the redirect', async () => {
    const app = credentialsSite(locked);
    expectRefused(app, await app.enter(), 'CredentialsSignin&code=locked');
  });

  it('CredentialsSignin | thrown to the caller when a framework handles form actions server-side', async () => {
    const request = new Request('http://localhost:3000/auth/callback/credentials', { method: 'POST' });
    const { config } = credentialsSite(locked);
    const thrown = { type: 'CredentialsSignin', code: 'locked' };
    await expect(Auth(request, { ...config, raw, skipCSRFCheck })).rejects.toMatchObject(thrown);
  });

  it('CredentialsSignin | the full error is always logged on the server', async () => {
    const app = credentialsSite(locked);
    const page = await app.browser.follow(await app.enter());
    expect(app.log.errors[0]?.message).toMatch('too many tries');
    expect(page.text()).not.toMatch('too many tries');
  });

  // In every environment, and as a configuration error instead of an exception (contract 22).
  it('MissingSecretError | thrown in production when no secret is configured', async () => {
    const app = site({ secret: undefined });
    expect((await app.browser.get('/auth/signin')).status).toBe(500);
    expect(app.log.errors[0]).toBeInstanceOf(MissingSecretError);
    expect(MissingSecretError).toBe(MissingSecret);
  });

  it('AccessDenied | the `signIn` callback throws an unhandled error (message is the original error)', async () => {
    const app = oidcSite({ callbacks: { signIn: fails } });
    await app.enter();
    const [error] = app.log.errors;
    expect(error).toMatchObject({ type: 'AccessDenied', cause: { err: new Error('down') } });
    expect(error?.message).toMatch(/^down\. /);
  });

  it('AccessDenied | or returns false', async () => {
    const app = oidcSite({ callbacks: { signIn: () => false } });
    await app.enter();
    expect(app.log.types()).toEqual(['AccessDenied']);
  });
});

const documented = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

const onErrorPage: Record<ErrorPageParam, () => Promise<string | undefined>> = {
  Configuration: async () => {
    const app = storeSite();
    app.adapter.fail('createSession');
    return leadsTo(await app.enter())?.replace(/&reference=[\da-f]{8}$/, '');
  },
  AccessDenied: async () => leadsTo(await oidcSite({ callbacks: { signIn: () => false } }).enter()),
  Verification: async () => leadsTo(await mailSite().browser.get('/auth/callback/mail?token=x&email=a%40b.test')),
};

describe('`error` query parameter of the error page', () => {
  it.each(Object.entries(onErrorPage))('%s | occurs', async (code, provoke) => {
    expect(await provoke()).toBe(`/auth/error?error=${code}`);
  });

  it('each has a text of its own, and is documented', async () => {
    const texts = new Set<string>();
    for (const code of [...Object.keys(onErrorPage), 'Anything']) {
      texts.add((await site().browser.get(`/auth/error?error=${code}`)).text().split('<main')[1] ?? '');
      if (code !== 'Anything') expect(documented).toContain(`\n| \`${code}\` |`);
    }
    expect(texts.size).toBe(4);
  });
});

async function another(app: ReturnType<typeof storeSite>): Promise<string | undefined> {
  await app.enter();
  const consent = { user: { sub: 'another', email: 'ada@example.com' } };
  return leadsTo(await app.signIn(app.fake, { consent, browser: app.visitor() }));
}

/** What leads to the sign-in page with that code; by the last two only applications and bindings do. */
const onSignInPage: Record<SignInPageErrorParam, (() => Promise<string | undefined>) | undefined> = {
  OAuthSignin: async () => {
    const app = oidcSite();
    app.fake.faults.discovery = { throw: true };
    return leadsTo(await app.begin());
  },
  OAuthCallbackError: async () => leadsTo(await oidcSite().browser.get('/auth/callback/fake?error=access_denied')),
  OAuthCreateAccount: async () => {
    const app = storeSite();
    app.adapter.fail('createUser');
    return leadsTo(await app.enter());
  },
  EmailCreateAccount: async () => {
    const app = mailSite();
    const link = await app.link('ada@example.com');
    app.store.adapter.fail('createUser');
    return leadsTo(await app.open(link));
  },
  Callback: async () => leadsTo(await oidcSite({}, { profile: fails }).enter()),
  OAuthAccountNotLinked: () => another(storeSite()),
  EmailSignin: async () =>
    leadsTo(await mailSite({}, { provider: { sendVerificationRequest: fails } }).ask('ada@example.com')),
  CredentialsSignin: async () => leadsTo(await credentialsSite(() => null).enter()),
  Signin: undefined,
  SessionRequired: undefined,
};

describe('`error` query parameter of the sign-in page', () => {
  const shown = async (app: Scene, code: string): Promise<string> =>
    (await app.browser.get(`/auth/signin?error=${code}`)).text();

  it.each(Object.entries(onSignInPage).filter(([, provoke]) => provoke))('%s | occurs', async (code, provoke) => {
    expect((await provoke?.())?.replace('&code=credentials', '')).toBe(`/auth/signin?error=${code}`);
  });

  it.each(Object.keys(onSignInPage))(
    '%s | is shown by the page with a text of its own, and documented',
    async (code) => {
      const text = signInErrorText(code);
      expect(text).not.toBe(signInErrorText('Anything'));
      expect(await shown(oidcSite(), code)).toContain(`<p>${text}</p>`);
      expect(documented).toContain(`\n| \`${code}\` |`);
    },
  );

  it('OAuthAccountNotLinked | same email, and `allowDangerousEmailAccountLinking` is off', async () => {
    expect(await another(storeSite())).toBe('/auth/signin?error=OAuthAccountNotLinked');
    expect(await another(storeSite({}, { allowDangerousEmailAccountLinking: true }))).toBe('/');
  });
});

describe('other errors', () => {
  it('a disabled `csrf` action answers with HTTP 404', async () => {
    expect((await site({ skipCSRFCheck }).browser.get('/auth/csrf')).status).toBe(404);
  });

  it('a called but unimplemented adapter method | an error shown to the user, and the operation fails', async () => {
    const app = storeSite({ adapter: {} });
    const page = await app.browser.get('/auth/signin');
    expect([page.status, app.log.types()]).toEqual([500, ['MissingAdapterMethods']]);
  });
});
