import { tokensOf } from '@latchkey/core/tokens';
import type { AuthConfig, TokensOptions, VaultEntry } from '@latchkey/core/types';
import {
  application,
  Clock,
  FakeProvider,
  type FakeProviderOptions,
  MemoryTokenVault,
  memoryAdapter,
} from '@latchkey/testing';
import { vi } from 'vitest';

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
