import { type Host, tokensOfVisitor, withEnv } from '@latchkey/core/binding';
import { TokensUnavailable } from '@latchkey/core/errors';
import { tokensOf } from '@latchkey/core/tokens';
import type { AuthConfig, TokensOptions, VaultEntry } from '@latchkey/core/types';
import {
  application,
  type Browser,
  Clock,
  FakeProvider,
  type FakeProviderOptions,
  MemoryTokenVault,
  memoryAdapter,
} from '@latchkey/testing';
import { vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { openEntry, sealEntry, type Tokens } from '../../src/tokens/entry.ts';

export interface SceneOptions {
  tokens?: Partial<TokensOptions>;
  config?: Partial<AuthConfig>;
  provider?: Partial<FakeProviderOptions>;
  /** Members of the provider's entry in the configuration. */
  entry?: object;
  withoutAdapter?: boolean;
}

/** An application that keeps the tokens of its provider in memory. Dates are fake; `vi.useRealTimers()` ends that. */
export function makeScene({ tokens, config, provider: own, entry, withoutAdapter = false }: SceneOptions = {}) {
  const clock = new Clock(new Date());
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  const vault = MemoryTokenVault();
  const provider = new FakeProvider({ signingAlgorithm: 'ES256', now: clock.now, ...own });
  const adapter = memoryAdapter();
  const app = application({
    ...(!withoutAdapter && { adapter }),
    clock,
    provider,
    config: {
      providers: [{ ...provider.provider(), ...entry }],
      tokens: { store: vault, ...tokens },
      ...config,
    } as Partial<AuthConfig>,
  });
  return {
    app,
    vault,
    provider,
    adapter,
    clock,
    jobs: () => tokensOf(app.config, {}),
    /** Lets time pass, for the application and for the provider. */
    later(seconds: number): void {
      clock.advance(seconds);
      vi.setSystemTime(clock.now());
    },
    /** Id of the only user. */
    get userId(): string {
      return [...adapter.store.users.values()][0]?.id ?? '';
    },
    /** The only entry of the vault. */
    get entry(): VaultEntry | undefined {
      return vault.dump()[0];
    },
    /** The bodies of the refresh requests so far. */
    refreshes(): URLSearchParams[] {
      const forms = provider.requests.filter(({ endpoint }) => endpoint === 'token').map(({ form }) => form);
      return forms.filter((form) => form.get('grant_type') === 'refresh_token');
    },
  };
}

export type Scene = ReturnType<typeof makeScene>;

export const withoutAdapter: SceneOptions = { withoutAdapter: true, tokens: { store: 'cookie' } };
export const withAdapter: SceneOptions = { tokens: { store: 'cookie' }, config: { session: { strategy: 'jwt' } } };

/** Tokens in a cookie, with and without an adapter. */
export const cookieCases: [string, SceneOptions][] = [
  ['without an adapter', withoutAdapter],
  ['with an adapter', withAdapter],
];

export async function signedIn(options?: SceneOptions): Promise<Scene> {
  const scene = makeScene(options);
  await scene.app.signIn();
  return scene;
}

/** A scene whose access token has expired. */
export async function expired(options?: SceneOptions): Promise<Scene> {
  const scene = await signedIn(options);
  scene.later(3601);
  return scene;
}

/** Calls `get` of a job for the only user. */
export function get(scene: Scene, options = {}) {
  return scene.jobs().get('fake', { userId: scene.userId, ...options });
}

/** The tokens in an entry; `undefined` if it does not open. */
export async function tokensIn({ app }: Scene, entry: VaultEntry | undefined): Promise<Tokens | undefined> {
  return entry && (await openEntry(settingsFor(app.config), entry))?.tokens;
}

/** The tokens in the only entry. */
export async function storedTokens(scene: Scene): Promise<Tokens> {
  const tokens = await tokensIn(scene, scene.entry);
  if (!tokens) throw new Error('the vault has no entry that opens');
  return tokens;
}

/** Writes other tokens into the entry, as another process does. */
export async function rewriteEntry(scene: Scene, members: Partial<Tokens>, config = scene.app.config): Promise<void> {
  const tokens = await storedTokens(scene);
  const { version = 0 } = scene.entry ?? {};
  await scene.vault.write(await sealEntry(settingsFor(config), { ...tokens, ...members }, version), version);
}

/** The place from which a function is called. `request`: cookies are set in the browser. `late`: that fails. */
export type Place = 'request' | 'read-only' | 'late';

/** A request of a browser, as a binding describes it. */
export function visitorOf({ app, clock }: Scene, place: Place = 'request', browser: Browser = app.browser) {
  const cookie = browser.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const { config, call } = withEnv(app.config as AuthConfig, {});
  const setCookie: Host['setCookie'] = ({ name, value, options }) => {
    if (place === 'late') throw new Error('the head was sent');
    if (options.maxAge === 0) browser.cookies.delete(name);
    else browser.cookies.set(name, value);
  };
  const host: Host = {
    origin: browser.origin,
    headers: new Headers({ cookie }),
    setCookie: place === 'read-only' ? undefined : setCookie,
  };
  return { configured: { config, call: { ...call, now: clock.now } as typeof call }, host };
}

/** The functions of tokens for a request of a browser, with the cookies that it has now. */
export function tokensFor(scene: Scene, place?: Place, browser?: Browser) {
  const visitor = visitorOf(scene, place, browser);
  return tokensOfVisitor(() => visitor);
}

/** The cookies of a browser that hold tokens. */
export function tokenCookies({ cookies }: Browser) {
  return cookies.all().filter(({ name }) => /^authjs\.tokens(\.\d)?$/.test(name));
}

/** The error of a call; `undefined` if it succeeds. */
export async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The refusal of a call. */
export async function unavailable(work: Promise<unknown>): Promise<TokensUnavailable> {
  const error = await failure(work);
  if (error instanceof TokensUnavailable) return error;
  throw error ?? new Error('expected a rejection');
}
