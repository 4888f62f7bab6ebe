import { memoryAdapter, type Page } from '@latchkey/testing';
import type { Provider } from '../../src/providers/index.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Account, EmailStatus, Profile } from '../../src/types/user.ts';
import { doors } from '../flows/doors.ts';
import { type Scene, scene } from '../flows/scene.ts';
import type { Fixture } from './fixture.ts';
import { CLIENT, CODE, Vendor } from './vendor.ts';

/** A factory of a provider. */
export type Factory = (options?: object) => { id: string; name: string; type: string; [member: PropertyKey]: unknown };

/** How a provider stands in the configuration. */
export interface Setting {
  fixture: Fixture;
  /**
   * Creates the entry of `providers` from options that include the vendor's `fetch`. Default: calls the factory with
   * them.
   */
  entry?: (options: Record<PropertyKey, unknown>) => Provider;
  /** Further configuration of the application, including the environment. */
  config?: (config: AuthConfig) => AuthConfig;
  adapter?: boolean;
}

/** A visitor's way through the vendor and back. */
export interface Journey {
  readonly vendor: Vendor;
  readonly app: Scene;
  readonly store: ReturnType<typeof memoryAdapter>;
  /** Parameters of the `signIn` callback. */
  readonly told: { account: Account; profile?: Profile | undefined; emailStatus?: EmailStatus | undefined }[];
  /** Goes to the vendor; the page leads there. */
  start(): Promise<Page>;
  /** Says yes at the vendor and comes back, or says no. */
  comeBack(started: Page, denied?: Record<string, string>): Promise<Page>;
  /** Both. */
  signIn(): Promise<Page>;
}

/** Sets up an application with one provider, and its vendor. */
export function journey(factory: Factory, { fixture, entry = factory as never, config, adapter }: Setting): Journey {
  const store = memoryAdapter();
  const told: Journey['told'] = [];
  const vendor: Vendor = new Vendor(fixture, () => app.clock.now());
  const options = { ...CLIENT, ...fixture.options, [customFetch]: vendor.fetch };
  const [door] = doors as [(typeof doors)[0]];
  const whole: Partial<AuthConfig> = {
    providers: [entry(options)],
    ...(adapter ? { adapter: store, session: { strategy: 'jwt' } } : {}),
    callbacks: {
      signIn: ({ account, profile, emailStatus }) => {
        told.push({ account: account as Account, profile, emailStatus });
        return true;
      },
    },
  };
  const app: Scene = scene(door, config ? config(whole as AuthConfig) : whole);
  const { id } = factory({});
  const start: Journey['start'] = () => app.begin(id);
  const comeBack: Journey['comeBack'] = async (started, denied) => {
    const sent = started.redirect?.searchParams ?? new URLSearchParams();
    const redirectUri = sent.get('redirect_uri') ?? '';
    const nonce = sent.get('nonce') ?? undefined;
    vendor.authorized({ redirectUri, nonce, codeChallenge: sent.get('code_challenge') ?? undefined });
    const state = sent.get('state') ?? '';
    const answered = denied ? { ...denied, state } : { code: CODE, state, ...fixture.callback };
    if (sent.get('response_mode') !== 'form_post') {
      return app.finish(`${redirectUri}?${new URLSearchParams(answered)}`);
    }
    return app.browser.follow(await app.browser.post(redirectUri, answered, { site: 'cross-site' }));
  };
  return { vendor, app, store, told, start, comeBack, signIn: async () => comeBack(await start()) };
}
