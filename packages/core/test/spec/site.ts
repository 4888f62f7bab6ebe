import { type ContractMemoryAdapter, type FakeProvider, memoryAdapter, type Page } from '@latchkey/testing';
import { decode, type JWT } from '../../src/jwt.ts';
import Credentials, { type CredentialsConfig } from '../../src/providers/credentials.ts';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig, EventCallbacks, Profile } from '../../src/types.ts';
import { type Door, doors } from '../flows/doors.ts';
import { type MailScene, type MailSceneOptions, mailScene } from '../flows/email-scene.ts';
import { type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';
import { fakeProvider, oidc, type Scene, type SceneOptions, SECRET, scene } from '../flows/scene.ts';

// One door is enough for a map; that both are the same is shown by the flows.
const door = doors[0] as Door;

export const SESSION = 'authjs.session-token';

/** An application as it is configured. */
export function site(config: Partial<AuthConfig> = {}, options: SceneOptions = {}): Scene {
  return scene(door, config, options);
}

/** An application that mails links. */
export function mailSite(config: Partial<AuthConfig> = {}, options: MailSceneOptions = {}): MailScene {
  return mailScene(door, config, options);
}

/** An application with passkeys. */
export function passkeySite(config: Partial<AuthConfig> = {}): PasskeyScene {
  return passkeyScene(door, {}, { config });
}

/** An application that somebody can sign in to with the fake provider. */
export interface OidcSite extends Scene {
  readonly fake: FakeProvider;
  /** Events in their order. */
  readonly told: [event: keyof EventCallbacks, message: Record<string, unknown>][];
  /** Signs Ada in, with the fake provider. */
  enter(): Promise<Page>;
}

/** An application with an OpenID provider and, unless the configuration says otherwise, JWT sessions. */
export function oidcSite(
  config: Partial<AuthConfig> = {},
  provider: Partial<OIDCConfig<Profile>> = {},
  options: SceneOptions = {},
): OidcSite {
  const fake = fakeProvider();
  const { told, events } = listener();
  const app = scene(
    door,
    { events, ...config, providers: [oidc(fake, provider), ...(config.providers ?? [])] },
    options,
  );
  return { ...app, fake, told, enter: () => app.signIn(fake) };
}

/** The same with a store and, unless the configuration says otherwise, database sessions. */
export interface StoreSite extends OidcSite {
  readonly adapter: ContractMemoryAdapter;
  /** Names of the adapter's methods, as they were called. */
  methods(): string[];
  /** What a method was called with, first to last. */
  calledWith(method: string): readonly unknown[][];
}

export function storeSite(config: Partial<AuthConfig> = {}, provider: Partial<OIDCConfig<Profile>> = {}): StoreSite {
  const adapter = memoryAdapter({ optional: false });
  return {
    ...oidcSite({ adapter, ...config }, provider),
    adapter,
    methods: () => adapter.calls.map(({ method }) => method),
    calledWith: (called) => adapter.calls.filter(({ method }) => method === called).map(({ args }) => [...args]),
  };
}

type Authorize = CredentialsConfig['authorize'];

/** An application that decides itself who it is; by default everybody is Ada. */
export function credentialsSite(
  authorize: Authorize = () => ({ id: '7', name: 'Ada', email: 'ada@example.com' }),
  config: Partial<AuthConfig> = {},
): Scene & Pick<OidcSite, 'told' | 'enter'> {
  const { told, events } = listener();
  const provider = Credentials({ credentials: { name: { label: 'Your name' } }, authorize });
  const app = scene(door, { events, ...config, providers: [provider] });
  return { ...app, told, enter: () => app.post('callback/credentials', { name: 'Ada' }) };
}

function listener(): { told: OidcSite['told']; events: EventCallbacks } {
  const told: OidcSite['told'] = [];
  const tell =
    (event: keyof EventCallbacks) =>
    (message: unknown): void =>
      void told.push([event, message as Record<string, unknown>]);
  return {
    told,
    events: {
      createUser: tell('createUser'),
      updateUser: tell('updateUser'),
      linkAccount: tell('linkAccount'),
      signIn: tell('signIn'),
      signOut: tell('signOut'),
      session: tell('session'),
    },
  };
}

/** What a client sends to update its session. */
export async function update(app: Scene, data: unknown): Promise<Page> {
  const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  return app.browser.post('/auth/session', { csrfToken, data }, { json: true });
}

/** The claims in the session cookie. */
export async function claims(app: Scene): Promise<JWT | null> {
  return decode({ token: app.browser.cookies.get(SESSION)?.value, secret: SECRET, salt: SESSION });
}

/** Names of the events, in their order. */
export function names({ told }: Pick<OidcSite, 'told'>): string[] {
  return told.map(([event]) => event);
}

/** What was told with an event, the first time. */
export function told(app: Pick<OidcSite, 'told'>, event: keyof EventCallbacks): Record<string, unknown> | undefined {
  return app.told.find(([name]) => name === event)?.[1];
}
