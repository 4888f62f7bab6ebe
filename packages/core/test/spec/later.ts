import { memoryAdapter } from '@latchkey/testing';
import type { WebAuthnConfig } from '../../src/providers/webauthn.ts';
import type { AuthConfig } from '../../src/types.ts';
import { leadsTo } from '../flows/scene.ts';
import { site } from './site.ts';

/** A statement of the specification that an issue yet to come will prove. Whoever does takes the row out. */
export interface Later {
  readonly issue: number;
  /** Where it stands. */
  readonly section: string;
  readonly statement: string;
  /** What whoever tries it today is told, by the answer or by the log; and what that has to be. */
  readonly today?: { readonly told: () => Promise<string | undefined>; readonly says: string };
}

/** A statement that tests of another package prove. */
export interface Elsewhere {
  readonly section: string;
  readonly statement: string;
  /** From the root of the repository. */
  readonly file: string;
}

const passkey: WebAuthnConfig = {
  id: 'passkey',
  name: 'Passkey',
  type: 'webauthn',
  enableConditionalUI: false,
  formFields: {},
};

/** The log's first line after somebody has asked for the sign-in page. */
async function problem(config: Partial<AuthConfig>): Promise<string | undefined> {
  const app = site({ providers: [passkey], ...config });
  const page = await app.browser.get('/auth/signin');
  return page.status === 500 ? app.log.errors[0]?.message : undefined;
}

const experimental = { enableWebAuthn: true };
const passkeys = { adapter: memoryAdapter(), experimental, providers: [passkey] };

const { createAuthenticator: _, ...lacking } = memoryAdapter();

export const later: readonly Later[] = [
  {
    issue: 6,
    section: 'What the service does',
    statement: 'provider type `webauthn`; ids `webauthn` and `passkey`',
    today: { told: () => problem({}), says: 'Set `experimental.enableWebAuthn: true`' },
  },
  {
    issue: 6,
    section: 'Authentication',
    statement: 'webauthn (experimental): authenticators are registered and used',
    today: {
      told: () => problem({ adapter: undefined, experimental }),
      says: 'Passkeys are kept in a store. Add an `adapter`',
    },
  },
  {
    issue: 6,
    section: 'Adapter interface',
    statement:
      'createAuthenticator, getAuthenticator, listAuthenticatorsByUserId, updateAuthenticatorCounter, getAccount',
    today: { told: () => problem({ experimental, adapter: lacking }), says: 'createAuthenticator' },
  },
  {
    issue: 6,
    section: 'HTTP actions',
    statement: 'webauthn-options | GET | JSON union of authenticate and register',
    today: {
      told: async () => {
        const app = site(passkeys);
        const page = await app.browser.get('/auth/webauthn-options/passkey');
        return `${page.status} ${app.log.errors[0]?.message}`;
      },
      says: '400 the action webauthn-options does not answer GET',
    },
  },
  {
    issue: 6,
    section: 'Authentication',
    statement: 'the callback of a webauthn provider signs in',
    today: {
      told: async () => leadsTo(await site(passkeys).post('callback/passkey')),
      says: '/auth/signin?error=InvalidProvider',
    },
  },
  {
    issue: 6,
    section: 'States and transitions',
    statement: 'Authenticator | successful use | counter updated through `updateAuthenticatorCounter`',
  },
  { issue: 6, section: 'Application configuration', statement: 'the cookie `webauthnChallenge` keeps the challenge' },
  { issue: 6, section: 'Errors', statement: 'adapter methods of authenticators throw on failure' },
  {
    issue: 7,
    section: 'What the service does',
    statement: 'a full-stack React-framework binding: `handlers`, `auth`, `signIn`, `signOut`, `unstable_update`',
  },
  {
    issue: 7,
    section: 'What the service does',
    statement: 'a component-framework binding: `handle`, `signIn`, `signOut`, components and client-side functions',
  },
  { issue: 7, section: 'Application configuration', statement: 'basePath is `/api/auth` in the full-stack binding' },
  {
    issue: 7,
    section: 'Programmatic operations',
    statement:
      '`signIn`, `signOut`, `auth`, `unstable_update` of the bindings; `signIn` throws an `AuthError` on failure',
  },
  { issue: 7, section: 'Callbacks', statement: '`authorized` (full-stack binding only)' },
  {
    issue: 7,
    section: 'Authentication',
    statement: 'route protection: in the component-framework binding in server load functions or a request hook',
  },
];

export const elsewhere: readonly Elsewhere[] = [
  {
    section: 'What the service does',
    statement: 'a server-framework binding: `ExpressAuth(config)` mounted on a path pattern `/auth/*`',
    file: 'packages/express/test/mounts.test.ts',
  },
  {
    section: 'Programmatic operations',
    statement: '`getSession(req, config)` in an application',
    file: 'packages/express/test/session.test.ts',
  },
  {
    section: 'Authentication',
    statement: 'behind a proxy, the proxy must be trusted so that HTTPS is detected',
    file: 'packages/express/test/proxy.test.ts',
  },
  {
    section: 'Adapter interface',
    statement: 'inputs and outputs of all methods, of any adapter',
    file: 'packages/testing/test/memory-adapter-suite.test.ts',
  },
  {
    section: 'Reference data-store schema',
    statement: 'a reference adapter stores records in six tables, each with all fields optional and nullable',
    file: 'packages/adapter-sql/test/migrate.test.ts',
  },
  {
    section: 'What the service does',
    statement: 'about 80 built-in provider ids, each with a whole sign-in',
    file: 'packages/core/test/providers/conformance.test.ts',
  },
];
