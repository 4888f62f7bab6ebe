import type { AuthError } from '@latchkey/core/errors';
import Credentials from '@latchkey/core/providers/credentials';
import { FakeProvider } from '@latchkey/testing';
import type { SvelteKitAuthConfig } from '../../src/index.ts';
import type { Scene } from '../app/src/scene.ts';

/** The types of logged errors, and the codes of warnings. */
export const logged: string[] = [];

const ada = { id: '1', name: 'Ada', email: 'ada@example.com' };

/** A configuration that accepts Ada's password, with the members of a test. */
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

/** Sets the configuration of the test application. */
export function play(scene: Scene['config'] | SvelteKitAuthConfig): Scene {
  logged.length = 0;
  const made: Scene = { config: typeof scene === 'function' ? scene : () => scene, calls: [] };
  Object.assign(globalThis, { kitScene: made });
  return made;
}

/** A provider without a port. */
export function fakeProvider(issuer = 'https://idp.test'): FakeProvider {
  return new FakeProvider({ issuer, signingAlgorithm: 'ES256' });
}
