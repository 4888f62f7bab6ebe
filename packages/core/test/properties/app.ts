import type { Adapter } from '../../src/adapters.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { OAuth2Config } from '../../src/providers/oauth.ts';
import type { AuthConfig, Profile } from '../../src/types.ts';
import { fakeProvider, oidc, SECRET } from '../flows/scene.ts';

export { SECRET };

/** Where visitors may be sent beside our own origin. */
export const PROVIDER_ORIGINS: readonly string[] = [
  fakeProvider().issuer,
  'https://plain.example',
  'https://form.example',
].map((address) => new URL(address).origin);

/** Each kind of provider; nobody can sign in with any of them. */
function providers(): AuthConfig['providers'] {
  const fake = fakeProvider();
  const plain: OAuth2Config<Profile> = {
    id: 'plain',
    name: 'Plain',
    type: 'oauth',
    authorization: 'https://plain.example/authorize',
    token: 'https://plain.example/token',
    userinfo: 'https://plain.example/userinfo',
    clientId: 'client',
  };
  const form: OAuth2Config<Profile> = {
    ...plain,
    id: 'form',
    authorization: { url: 'https://form.example/authorize', params: { response_mode: 'form_post' } },
  };
  const email: EmailConfig = { id: 'mail', type: 'email', name: 'Mail', sendVerificationRequest: () => undefined };
  return [
    oidc(fake),
    plain,
    form,
    email,
    { ...email, id: 'careful', confirm: true },
    Credentials({ credentials: { name: {}, password: { type: 'password' } } }),
  ];
}

/** A store in which nobody and nothing is found. */
function emptyStore(): Adapter {
  const nobody = (): null => null;
  const fails = (): never => {
    throw new Error('nobody ever gets here');
  };
  return {
    createUser: fails,
    getUser: nobody,
    getUserByEmail: nobody,
    getUserByAccount: nobody,
    updateUser: fails,
    linkAccount: fails,
    createSession: fails,
    getSessionAndUser: nobody,
    updateSession: nobody,
    deleteSession: nobody,
    createVerificationToken: (token) => token,
    useVerificationToken: nobody,
  };
}

/** Has a `debug`, so that whatever would be logged is made. */
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** Applications that differ in whatever decides about the way a request takes. */
export function applications(): AuthConfig[] {
  const base: AuthConfig = {
    providers: providers(),
    secret: SECRET,
    trustHost: true,
    logger: silent,
    adapter: emptyStore(),
  };
  return [
    { ...base, session: { strategy: 'jwt' } },
    { ...base, session: { strategy: 'database' } },
    {
      ...base,
      session: { strategy: 'jwt' },
      pages: { signIn: '/in', signOut: '/out', error: '/oops?x=1', verifyRequest: '/look', newUser: '/new' },
    },
    { ...base, session: { strategy: 'jwt' }, useSecureCookies: true, basePath: '/' },
  ];
}
