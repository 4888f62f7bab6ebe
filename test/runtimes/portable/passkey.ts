import Passkey from '@latchkey/core/providers/passkey';
import {
  type CreationOptionsJSON,
  memoryAdapter as makeAdapter,
  type memoryAdapter,
  type RequestOptionsJSON,
} from '@latchkey/testing';
import { type Application, application } from './application.ts';
import type { Cases } from './case.ts';
import { equal, matches } from './expect.ts';

/** Response of the options action. */
interface Asked {
  action: 'authenticate' | 'register';
  options: CreationOptionsJSON & RequestOptionsJSON;
}

/** An application with passkeys. */
export interface PasskeyApplication extends Application {
  readonly adapter: ReturnType<typeof memoryAdapter>;
  /** Asks for options. */
  ask(params: Record<string, string>): Promise<Asked>;
}

export function withPasskeys(): PasskeyApplication {
  const adapter = makeAdapter();
  const app = application({ providers: [Passkey({})], adapter, experimental: { enableWebAuthn: true } });
  return {
    ...app,
    adapter,
    async ask(params) {
      const path = `/auth/webauthn-options/passkey?${new URLSearchParams(params)}`;
      return (await app.browser.get(path, { mode: 'cors', site: 'same-origin' })).json<Asked>();
    },
  };
}

export const passkey: Cases = {
  'answers the options of a passkey': async () => {
    const app = withPasskeys();
    const { action, options } = await app.ask({ action: 'register', email: 'ada@example.com' });
    equal([action, options.rp.id, options.user.name], ['register', 'localhost', 'ada@example.com']);
    matches(options.challenge, /^[\w-]{43}$/);
    const other = await app.ask({ action: 'authenticate' });
    equal([other.action, other.options.rpId], ['authenticate', 'localhost']);
    equal(other.options.challenge === options.challenge, false, 'the same challenge twice');
    equal(app.errors, []);
  },
};
