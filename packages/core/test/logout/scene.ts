import type { CallOptions } from '@latchkey/core';
import type { AdapterLike } from '@latchkey/core/adapters';
import type { AuthConfig } from '@latchkey/core/types';
import {
  type Application,
  application,
  type Browser,
  FakeProvider,
  type FakeProviderOptions,
  type IdTokenOverride,
  MemorySessionRecords,
  type Page,
} from '@latchkey/testing';

/** An application whose provider can end sessions. */
export interface LogoutScene {
  readonly app: Application<AdapterLike | undefined>;
  readonly provider: FakeProvider;
  readonly records: MemorySessionRecords;
  /** Signs a visitor in, in the given session of the provider. */
  signIn(sid?: string, browser?: Browser): Promise<Page>;
  /** Posts a logout token, as the provider does. Default: the correct one for the user. */
  logout(override?: IdTokenOverride): Promise<Page>;
  post(fields: Record<string, string>): Promise<Page>;
}

/** Options of {@link logoutScene}. */
export interface LogoutSceneOptions {
  /** A provider that another scene uses, too, or the options of a new one. */
  readonly provider?: FakeProvider | FakeProviderOptions;
  readonly config?: Partial<AuthConfig>;
  readonly adapter?: AdapterLike | undefined;
  readonly call?: CallOptions;
}

/** Makes an application with records whose provider is the fake one. */
export function logoutScene({ provider: options, config, adapter, call }: LogoutSceneOptions = {}): LogoutScene {
  const records = MemorySessionRecords();
  const app = application<AdapterLike | undefined>({
    adapter,
    call,
    ...(options && { provider: providerOf(options) }),
    config: {
      session: adapter
        ? { strategy: 'database', records: { store: records } }
        : { strategy: 'jwt', records: { store: records, revocationLag: 0 } },
      logout: { provider: true, backchannel: true },
      ...config,
    },
  });
  const { provider } = app;
  const post = (fields: Record<string, string>): Promise<Page> =>
    app.visitor().post('/auth/logout/fake', fields, { site: 'cross-site' });
  return {
    app,
    provider,
    records,
    post,
    async signIn(sid, browser = app.browser) {
      provider.misbehave({ idToken: { claims: { sid } } });
      const page = await app.signIn({ browser });
      provider.misbehave({ idToken: undefined });
      return page;
    },
    logout: async (override) => post({ logout_token: await provider.logoutToken(override) }),
  };
}

function providerOf(options: FakeProvider | FakeProviderOptions): FakeProvider {
  return options instanceof FakeProvider ? options : new FakeProvider({ signingAlgorithm: 'ES256', ...options });
}
