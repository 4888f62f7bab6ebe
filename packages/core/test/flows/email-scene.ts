import { createHash } from 'node:crypto';
import { type Browser, type ContractMemoryAdapter, memoryAdapter, type Page } from '@latchkey/testing';
import type { EmailConfig, EmailProviderSendVerificationRequestParams } from '../../src/providers/email.ts';
import type {
  Adapter,
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../src/types/adapter.ts';
import type { AuthConfig, EventCallbacks } from '../../src/types/config.ts';
import type { Door } from './doors.ts';
import { type Scene, type SceneOptions, scene } from './scene.ts';

/** A mail that an application's own provider was asked to send. */
export type Sent = EmailProviderSendVerificationRequestParams;

/** A store in memory, as these tests look at it. */
export interface MailStore {
  readonly adapter: ContractMemoryAdapter;
  readonly users: Map<string, AdapterUser>;
  readonly accounts: Map<string, AdapterAccount>;
  readonly sessions: Map<string, AdapterSession>;
  readonly tokens: Map<string, VerificationToken>;
  /** Calls since the last {@link MailStore.forget}. */
  readonly calls: [method: keyof Adapter, ...args: unknown[]][];
  names(): (keyof Adapter)[];
  forget(): void;
}

/** Gives others their turn at each call, as a real store does. */
function contractAdapter(): ContractMemoryAdapter {
  return memoryAdapter({ optional: false, latency: () => new Promise((resolve) => setImmediate(resolve)) });
}

export function mailStore(): MailStore {
  const adapter = contractAdapter();
  const { users, accounts, sessions, verificationTokens: tokens } = adapter.store;
  const forgotten = { count: 0 };
  return {
    adapter,
    users,
    accounts,
    sessions,
    tokens,
    get calls() {
      return adapter.calls
        .slice(forgotten.count)
        .map(({ method, args }): [keyof Adapter, ...unknown[]] => [method, ...args]);
    },
    names: () => adapter.calls.slice(forgotten.count).map(({ method }) => method),
    forget: () => {
      forgotten.count = adapter.calls.length;
    },
  };
}

/** A store that finds a token without the address, as some adapters do. */
export function byTokenAlone(): MailStore {
  const store = mailStore();
  store.adapter.useVerificationToken = async ({ token }) => {
    const found = [...store.tokens].find(([, row]) => row.token === token);
    if (!found) return null;
    store.tokens.delete(found[0]);
    return found[1];
  };
  return store;
}

export interface MailSceneOptions extends SceneOptions {
  provider?: Partial<EmailConfig>;
  store?: MailStore;
}

/** An application that mails links through its own provider. */
export interface MailScene extends Scene {
  readonly store: MailStore;
  readonly sent: Sent[];
  /** Events in their order. */
  readonly told: [event: keyof EventCallbacks, message: unknown][];
  /** Asks for a link. */
  ask(email: unknown, fields?: Record<string, unknown>, browser?: Browser): Promise<Page>;
  /** Asks, and takes the link out of the mail. */
  link(email: string, fields?: Record<string, unknown>, browser?: Browser): Promise<string>;
  /** Follows a link, from a mail program. */
  open(link: string, browser?: Browser): Promise<Page>;
}

export function mailScene(door: Door, config: Partial<AuthConfig> = {}, options: MailSceneOptions = {}): MailScene {
  const { provider, store = mailStore(), ...forScene } = options;
  const sent: Sent[] = [];
  const told: MailScene['told'] = [];
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: (params) => void sent.push(params),
    ...provider,
  };
  const events = Object.fromEntries(
    (['createUser', 'updateUser', 'linkAccount', 'signIn'] as const).map((event) => [
      event,
      (message: unknown) => void told.push([event, message]),
    ]),
  );
  const app = scene(
    door,
    { adapter: store.adapter, events, ...config, providers: [mail, ...(config.providers ?? [])] },
    forScene,
  );
  const ask: MailScene['ask'] = (email, fields = {}, browser = app.browser) =>
    app.post(`signin/${mail.id}`, { email: email as string, callbackUrl: '/in', ...fields }, browser);
  return {
    ...app,
    store,
    sent,
    told,
    ask,
    async link(email, fields, browser) {
      const page = await ask(email, fields, browser);
      const last = sent.at(-1);
      if (!last) throw new Error(`no mail, the answer leads to ${page.location}`);
      return last.url;
    },
    open: (link, browser = app.browser) => browser.get(link, { site: 'cross-site' }),
  };
}

/** The same link with other parameters. */
export function changed(link: string, params: Record<string, string | undefined>): string {
  const url = new URL(link);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

/** Returns the stored hash of a mailed token, as Auth.js v5 makes it. */
export function storedHash(token: string, secret: string): string {
  return createHash('sha256').update(`${token}${secret}`).digest('hex');
}
