import { envName } from '../../src/config/env-name.ts';
import type { Facts } from './facts.ts';

const kinds = {
  oauth: 'OAuth 2',
  oidc: 'OpenID Connect',
  email: 'mailed links',
  credentials: 'credentials',
  webauthn: 'passkeys',
} as const;

/** `docs/providers.md`. */
export function providersPage(facts: readonly Facts[]): string {
  return `# Providers

<!-- Written by \`npm run providers\` from packages/core/src/providers and its fixtures. -->

Each provider is a file of its own: import it from \`@latchkey/core/providers/<file>\`, or under the same name from your
framework's package, and put it into \`providers\`. Importing one loads no other.

\`\`\`ts
import GitHub from '@latchkey/express/providers/github';
import Google from '@latchkey/express/providers/google';

export const authConfig = {
  providers: [GitHub, Google({ authorization: { params: { hd: 'example.com' } } })],
};
\`\`\`

What an option does not say is read from the environment, by the provider's id in capitals with \`_\` for \`-\`:
\`AUTH_<ID>_ID\` (\`clientId\`), \`AUTH_<ID>_SECRET\` (\`clientSecret\`), \`AUTH_<ID>_ISSUER\` (\`issuer\`) and
\`AUTH_<ID>_KEY\` (\`apiKey\`). An \`issuer\` in the environment comes before the one that a provider has by default.

The **callback address** is what the vendor sends visitors back to. It is
\`<origin><base path>/callback/<id>\`; below, the base path is \`/auth\` and the site \`https://app.example\`. Register it exactly,
one for each origin (\`http://localhost:3000\` while you develop, if the vendor allows it).

Every provider takes the options of its type as well: \`authorization\`, \`token\`, \`userinfo\`, \`checks\`, \`client\`, \`profile\`,
\`account\`, \`style\` and so on. \`authorization: { params: { scope: '…' } }\` asks for other scopes. An address that the vendor says
it has not verified never links an account to a user, and opens none unless \`unverifiedEmail\` is \`'allow'\`. Vendors that do not vouch for addresses have \`'unshared'\`: users are created where nothing else
in your configuration would open them by address (mailed links, \`allowDangerousEmailAccountLinking\`).

${facts.map(({ name, id }) => `[${name}](#${anchor(name, id, facts)})`).join(' · ')}

${facts.map((one) => section(one, facts)).join('\n')}`;
}

/** As GitHub makes it of a heading. */
function anchor(name: string, id: string, facts: readonly Facts[]): string {
  return heading(name, id, facts)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Two providers may have one name; their ids differ. */
function heading(name: string, id: string, facts: readonly Facts[]): string {
  return facts.filter((one) => one.name === name).length > 1 ? `${name} (${id})` : name;
}

function section(facts: Facts, all: readonly Facts[]): string {
  const { id, name, type, file, factory, about, see, reviewed, register, issuer, env, scopes, options, quirks } = facts;
  const isMail = type === 'email';
  const lines = [
    `**Register:** ${register}`,
    ...(type === 'credentials' || type === 'webauthn'
      ? []
      : [`**${isMail ? 'The mailed link leads to' : 'Callback address'}:** ${callback(facts)}`]),
    ...(env.length > 0 ? [`**Environment:** ${env.map((part) => `\`AUTH_${envName(id)}_${part}\``).join(', ')}`] : []),
    ...(issuer ? [`**Issuer:** ${issuer}`] : []),
    ...(type === 'oauth' || type === 'oidc' ? [`**Scopes:** ${scopes ? `\`${scopes}\`` : 'none'}`] : []),
    ...options.map((option) => `**Option** ${option}`),
    ...(facts.user ? [`**The user:** ${userOf(facts)}`] : []),
    ...quirks,
    `**Documentation:** ${see.map((address) => `<${address}>`).join(', ')} (looked at on ${reviewed})`,
  ];
  return `## ${heading(name, id, all)}

\`${id}\` · ${kinds[type]} · \`import ${factory} from '@latchkey/core/providers/${file}'\`

${about === `${name}.` ? '' : `${about}\n\n`}${lines.map((line) => `- ${line}`).join('\n')}
`;
}

function callback({ id, posted }: Facts): string {
  return `\`https://app.example/auth/callback/${id}\`${posted ? ', to which the visitor’s browser posts' : ''}`;
}

function userOf({ user, emailVerified, name }: Facts): string {
  const members = ['id', 'name', 'email', 'image'].map((member) => {
    const value = user?.[member];
    return value ? `\`${member}\` “${short(value)}”` : `no \`${member}\``;
  });
  const vouched = {
    true: `${name} says whether the address is verified.`,
    false: `${name} does not vouch for the address.`,
    undefined: `${name} does not say whether the address is verified.`,
  }[String(emailVerified) as 'true' | 'false' | 'undefined'];
  return `${members.join(', ')}. ${user?.['email'] ? vouched : ''}`.trim();
}

function short(value: string): string {
  return value.length <= 80 ? value : `${value.slice(0, 60)}…`;
}
