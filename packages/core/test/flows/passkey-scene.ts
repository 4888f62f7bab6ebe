import {
  type Browser,
  type CreationOptionsJSON,
  memoryAdapter,
  type Page,
  type PasskeyAnswer,
  type PasskeyLies,
  type RequestOptionsJSON,
  SoftwareAuthenticator,
} from '@latchkey/testing';
import Passkey from '../../src/providers/passkey.ts';
import type { WebAuthnConfig } from '../../src/providers/webauthn.ts';
import type { AuthConfig, EventCallbacks } from '../../src/types/config.ts';
import type { Door } from './doors.ts';
import { type Scene, type SceneOptions, scene } from './scene.ts';

export const CHALLENGE = 'authjs.challenge';

/** Who does something, and what is lied about. */
export interface Act {
  browser?: Browser;
  authenticator?: SoftwareAuthenticator;
  lies?: PasskeyLies;
  /** Parameters of the question, and fields of the post. */
  fields?: Record<string, string>;
}

/** The answer of the options action. */
export interface Options {
  action: 'authenticate' | 'register';
  options: CreationOptionsJSON & RequestOptionsJSON & Record<string, unknown>;
}

/** An application with passkeys and a store in memory. */
export interface PasskeyScene extends Scene {
  readonly adapter: ReturnType<typeof memoryAdapter>;
  /** Ada's phone. */
  readonly phone: SoftwareAuthenticator;
  /** Events in their order. */
  readonly told: [event: keyof EventCallbacks, message: Record<string, unknown>][];
  /** Asks for options. */
  ask(params?: Record<string, string>, browser?: Browser): Promise<Page>;
  /** The same, read. */
  options(params?: Record<string, string>, browser?: Browser): Promise<Options>;
  /** Posts an answer. */
  answer(action: string, data: PasskeyAnswer | string, act?: Act): Promise<Page>;
  /** Makes a passkey: asks, makes it, posts. */
  register(email?: string, act?: Act): Promise<Page>;
  /** Uses a passkey: asks, uses it, posts. */
  enter(act?: Act): Promise<Page>;
  /** Adds a passkey for the user who is signed in. */
  add(act?: Act): Promise<Page>;
}

export interface PasskeySceneOptions extends SceneOptions {
  config?: Partial<AuthConfig>;
  /** Default: with the optional methods. */
  adapter?: ReturnType<typeof memoryAdapter>;
}

export function passkeyScene(
  door: Door,
  provider: Partial<WebAuthnConfig> = {},
  { config, adapter = memoryAdapter(), ...options }: PasskeySceneOptions = {},
): PasskeyScene {
  const told: PasskeyScene['told'] = [];
  const tell = (event: keyof EventCallbacks) => (message: object) =>
    void told.push([event, message as Record<string, unknown>]);
  const app = scene(
    door,
    {
      providers: [Passkey(provider)],
      adapter,
      experimental: { enableWebAuthn: true },
      events: {
        createUser: tell('createUser'),
        updateUser: tell('updateUser'),
        linkAccount: tell('linkAccount'),
        signIn: tell('signIn'),
      },
      ...config,
    },
    options,
  );
  const id = provider.id ?? 'passkey';
  const phone = new SoftwareAuthenticator();
  const ask: PasskeyScene['ask'] = (params = {}, browser = app.browser) =>
    browser.get(`/auth/webauthn-options/${id}?${new URLSearchParams(params)}`, { mode: 'cors', site: 'same-origin' });
  const read: PasskeyScene['options'] = async (params, browser) => (await ask(params, browser)).json<Options>();
  const answer: PasskeyScene['answer'] = (action, data, { browser, fields } = {}) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    return app.post(`callback/${id}`, { action, data: text, ...fields }, browser);
  };
  const register: PasskeyScene['register'] = async (email = 'ada@example.com', act = {}) => {
    const { authenticator = phone, browser = app.browser, lies, fields } = act;
    const { options } = await read({ email, action: 'register', ...fields }, browser);
    return answer('register', authenticator.create(options, browser.origin, lies), act);
  };
  return {
    ...app,
    adapter,
    phone,
    told,
    ask,
    options: read,
    answer,
    register,
    async enter(act = {}) {
      const { authenticator = phone, browser = app.browser, lies, fields } = act;
      const { options } = await read({ action: 'authenticate', ...fields }, browser);
      return answer('authenticate', authenticator.get(options, browser.origin, lies), act);
    },
    async add(act = {}) {
      const { authenticator = phone, browser = app.browser, lies } = act;
      const { options } = await read({ action: 'register' }, browser);
      return answer('register', authenticator.create(options, browser.origin, lies), act);
    },
  };
}

/** Bytes in base64url as the store has them. */
export function stored(id: string): string {
  return Buffer.from(id, 'base64url').toString('base64');
}
