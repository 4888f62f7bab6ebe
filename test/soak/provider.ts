import { type OidcUser, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { answerQuestions } from './answers.ts';
import { client, identitiesOf, modes, ORIGIN, passwordOf } from './people.ts';

/** A real OpenID provider in its own process. After a restart, it has new keys and no earlier codes or sessions. */

const users = Array.from({ length: Number(process.env['SOAK_VISITORS']) }, (_, number): OidcUser => {
  const { email } = identitiesOf(number).idp;
  return {
    login: email,
    password: passwordOf(email),
    sub: `sub-${number}`,
    name: `Visitor ${number}`,
    email,
    email_verified: true,
  };
});

const provider = await startOidcProvider({
  host: '127.0.0.1',
  port: Number(process.env['SOAK_PROVIDER_PORT']),
  requirePkce: true,
  clients: [{ ...client, redirect_uris: modes.map((mode) => `${ORIGIN}/${mode}/auth/callback/idp`) }],
  users,
});

answerQuestions({
  issuer: () => provider.issuer,
  stop: async () => provider.stop(),
  start: async () => provider.start(),
});
