import type { AuthError } from '@latchkey/core/errors';
import Credentials from '@latchkey/core/providers/credentials';
import { FakeProvider } from '@latchkey/testing';
import type { SvelteKitAuthConfig } from '../../src/index.ts';
import type { Scene } from '../app/src/scene.ts';

/** What the configuration's logger was told, by `type`. */
export const logged: string[] = [];

const ada = { id: '1', name: 'Ada', email: 'ada@example.com' };

/** Signs in Ada, and stands in for its members with what a test gives. */
export function config(own: Partial<SvelteKitAuthConfig> = {}): SvelteKitAuthConfig {
  return {
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    providers: [
      Credentials({
        credentials: { password: {} },
        authorize: ({ password }) => (password === 'right' ? ada : null),
      }),
    ],
    logger: {
      error: (error) => void logged.push((error as AuthError).type ?? error.name),
      warn: (code) => void logged.push(code),
      debug() {},
    },
    ...own,
  };
}

/** What the test application does from now on. */
export function play(scene: Scene['config'] | SvelteKitAuthConfig): void {
  logged.length = 0;
  const made: Scene = { config: typeof scene === 'function' ? scene : () => scene };
  Object.assign(globalThis, { kitScene: made });
}

/** A provider without a port. */
export function fakeProvider(issuer = 'https://idp.test'): FakeProvider {
  return new FakeProvider({ issuer, signingAlgorithm: 'ES256' });
}
