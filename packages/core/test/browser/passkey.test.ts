import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryAdapter } from '@latchkey/testing';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { answerNodeRequest } from '../../src/binding.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { log, SECRET } from '../flows/scene.ts';
import { type Authenticator, addAuthenticator } from './authenticator.ts';

/** An application with passkeys on a port of its own. */
interface Site {
  readonly origin: string;
  readonly adapter: ReturnType<typeof memoryAdapter>;
  readonly log: ReturnType<typeof log>;
  close(): Promise<void>;
}

const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: async () => undefined } as const;

async function startSite(): Promise<Site> {
  const adapter = memoryAdapter();
  const own = log();
  const config: AuthConfig = {
    // The field for an address, in which browsers offer passkeys, is that of the mail.
    providers: [Passkey({ unverifiedEmail: 'allow' }), mail],
    adapter,
    secret: SECRET,
    trustHost: true,
    experimental: { enableWebAuthn: true },
    logger: own,
  };
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (!path.startsWith('/auth/')) return response.end('<h1>Inside</h1>');
    const place = { origin: `http://${request.headers.host}`, path, basePath: '/auth' };
    return answerNodeRequest(request, response, { config, call: {} }, place);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Passkeys belong to domains, so an IP address would not work.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { origin, adapter, log: own, close };
}

const isInside = ({ pathname }: URL): boolean => pathname === '/inside';

interface Device extends Authenticator {
  readonly tab: Tab;
  /** Errors in the page's console. */
  readonly complaints: string[];
}

describe.skipIf(isWithoutChromium)('passkeys in Chromium', () => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** The authenticator answers autofill by itself, and would repeat a refused answer without end. */
  const withoutAutofill = (): void => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  };

  /** Records in `asked` how the page asks for passkeys. */
  const noteRequests = (): void => {
    const asked: unknown[] = [];
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
      asked.push(options?.mediation);
      return get(options);
    };
    Object.assign(globalThis, { asked });
  };

  /** A browser profile with an authenticator that answers by itself. */
  async function device({ init }: { init?: () => void } = {}): Promise<Device> {
    const context = await browser.newContext();
    const tab = await context.newPage();
    tab.setDefaultTimeout(60_000);
    if (init) await tab.addInitScript(init);
    const complaints: string[] = [];
    tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(error.message));
    const authenticator = await addAuthenticator(tab);
    return { tab, ...authenticator, complaints };
  }

  /** The sign-in page, ready. */
  async function open({ tab }: Device): Promise<void> {
    await tab.goto(`${site.origin}/auth/signin?callbackUrl=/inside`);
    await expect.poll(() => tab.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled()).toBe(true);
  }

  /** The page that creates an account, ready. */
  async function openRegistration({ tab }: Device): Promise<void> {
    await tab.goto(`${site.origin}/auth/signin?step=register&callbackUrl=/inside`);
    await expect.poll(() => tab.getByRole('button', { name: 'Create a passkey' }).isEnabled()).toBe(true);
  }

  async function register(one: Device, email: string): Promise<void> {
    await openRegistration(one);
    await one.tab.getByLabel('Email').fill(email);
    await one.tab.getByRole('button', { name: 'Create a passkey' }).click();
    await one.tab.waitForURL(isInside);
  }

  async function session({ tab }: Device): Promise<unknown> {
    return (await tab.request.get(`${site.origin}/auth/session`)).json();
  }

  const simulate = ({ cdp, authenticatorId }: Device, enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

  it('is made with an email address, and signs in by the button', async () => {
    const phone = await device({ init: noteRequests });
    await register(phone, 'button@example.com');
    expect(await session(phone)).toMatchObject({ user: { email: 'button@example.com' } });
    await phone.tab.context().clearCookies();
    expect(await session(phone)).toBeNull();
    // The visitor presses the button while the autofill is waiting.
    await simulate(phone, false);
    await open(phone);
    await expect.poll(() => phone.tab.evaluate('asked')).toEqual(['conditional']);
    await simulate(phone, true);
    await phone.tab.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await phone.tab.waitForURL(isInside);
    expect(await session(phone)).toMatchObject({ user: { email: 'button@example.com' } });
    expect(phone.complaints).toEqual([]);
    await phone.tab.context().close();
  });

  it('can be added on a second device of the same user', async () => {
    const phone = await device();
    await register(phone, 'second@example.com');
    const laptop = await device();
    // Only the session is copied, as if the user had signed in on this device in another way.
    await laptop.tab.context().addCookies(await phone.tab.context().cookies());
    await laptop.tab.goto(`${site.origin}/auth/signin?callbackUrl=/inside`);
    await laptop.tab.getByRole('link', { name: 'Add a way to sign in' }).click();
    await laptop.tab.getByRole('button', { name: 'Add a passkey' }).click();
    await laptop.tab.waitForURL(isInside);
    await laptop.tab.context().clearCookies();
    await laptop.tab.goto(`${site.origin}/auth/signin?callbackUrl=/inside`);
    await laptop.tab.waitForURL(isInside);
    expect(await session(laptop)).toMatchObject({ user: { email: 'second@example.com' } });
    const [user] = site.adapter.dump().users.filter(({ email }) => email === 'second@example.com');
    expect(site.adapter.dump().authenticators.filter(({ userId }) => userId === user?.id)).toHaveLength(2);
    expect([...phone.complaints, ...laptop.complaints]).toEqual([]);
    for (const { tab } of [phone, laptop]) await tab.context().close();
  });

  it('refuses a clone whose counter is behind', async () => {
    const key = await device();
    await register(key, 'clone@example.com');
    const { credentials } = await key.cdp.send('WebAuthn.getCredentials', { authenticatorId: key.authenticatorId });
    await key.tab.context().clearCookies();
    await key.tab.goto(`${site.origin}/auth/signin?callbackUrl=/inside`);
    await key.tab.waitForURL(isInside);
    const clone = await device({ init: withoutAutofill });
    for (const credential of credentials)
      await clone.cdp.send('WebAuthn.addCredential', { authenticatorId: clone.authenticatorId, credential });
    await open(clone);
    await clone.tab.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await clone.tab.waitForURL('**/auth/callback/passkey');
    expect(await clone.tab.getByRole('alert').innerText()).toContain('Your passkey could not be verified.');
    expect(await session(clone)).toBeNull();
    for (const { tab } of [key, clone]) await tab.context().close();
  });

  it('signs in by autofill', async () => {
    const phone = await device();
    await register(phone, 'autofill@example.com');
    await phone.tab.context().clearCookies();
    await phone.tab.goto(`${site.origin}/auth/signin?callbackUrl=/inside`);
    await phone.tab.waitForURL(isInside);
    expect(await session(phone)).toMatchObject({ user: { email: 'autofill@example.com' } });
    expect(phone.complaints).toEqual([]);
    await phone.tab.context().close();
  });

  it("does without the browser's JSON helpers", async () => {
    const phone = await device({
      init: () => {
        Object.assign(PublicKeyCredential, {
          parseCreationOptionsFromJSON: undefined,
          parseRequestOptionsFromJSON: undefined,
        });
        PublicKeyCredential.prototype.toJSON = () => {
          throw new TypeError('Illegal invocation');
        };
      },
    });
    await register(phone, 'older@example.com');
    await phone.tab.context().clearCookies();
    await phone.tab.goto(`${site.origin}/auth/signin?callbackUrl=/inside`);
    await phone.tab.waitForURL(isInside);
    expect(await session(phone)).toMatchObject({ user: { email: 'older@example.com' } });
    const rows = site.adapter.dump().authenticators;
    expect(rows.at(-1)).toMatchObject({ transports: 'internal', counter: expect.any(Number) });
    await phone.tab.context().close();
  });

  it('needs an email address before it is made, and shows what went wrong', async () => {
    const phone = await device();
    await openRegistration(phone);
    await phone.tab.getByRole('button', { name: 'Create a passkey' }).click();
    expect(await phone.tab.getByLabel('Email').evaluate((input: HTMLInputElement) => input.matches(':invalid'))).toBe(
      true,
    );
    expect(new URL(phone.tab.url()).pathname).toBe('/auth/signin');
    await phone.cdp.send('WebAuthn.setUserVerified', { authenticatorId: phone.authenticatorId, isUserVerified: false });
    await phone.tab.getByLabel('Email').fill('cancel@example.com');
    await phone.tab.getByRole('button', { name: 'Create a passkey' }).click();
    await expect.poll(() => phone.tab.getByRole('status').innerText()).toBe('No passkey was created. Try again.');
    expect(await phone.tab.getByRole('button', { name: 'Create a passkey' }).isEnabled()).toBe(true);
    await phone.tab.context().close();
  });

  it('for a known address shows the message of any passkey that did not verify', async () => {
    const first = await device();
    await register(first, 'taken@example.com');
    const second = await device({ init: withoutAutofill });
    await openRegistration(second);
    await second.tab.getByLabel('Email').fill('taken@example.com');
    await second.tab.getByRole('button', { name: 'Create a passkey' }).click();
    await second.tab.waitForURL('**/auth/callback/passkey');
    expect(await second.tab.getByRole('alert').innerText()).toContain('Your passkey could not be verified.');
    for (const { tab } of [first, second]) await tab.context().close();
  });

  it('shows a message in a browser without passkeys or without JavaScript', async () => {
    const old = await device({
      init: () => {
        Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
      },
    });
    await old.tab.goto(`${site.origin}/auth/signin`);
    await expect.poll(() => old.tab.getByRole('status').innerText()).toBe('This browser cannot use passkeys here.');
    expect(await old.tab.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled()).toBe(false);
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(`${site.origin}/auth/signin`);
    expect(await plain.locator('noscript').innerText()).toContain('needs JavaScript');
    for (const tab of [old.tab, plain]) await tab.context().close();
  });
});
