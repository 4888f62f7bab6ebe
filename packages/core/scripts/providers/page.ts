import { envName } from '../../src/config/env.ts';
import type { Facts } from './facts.ts';

const kinds = {
  oauth: 'OAuth 2',
  oidc: 'OpenID Connect',
  email: 'mailed links',
  credentials: 'credentials',
  webauthn: 'passkeys',
} as const;

/** Returns `docs/providers.md`. */
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

The provider redirects visitors to the **callback URL**. It is
\`<origin><base path>/callback/<id>\`; below, the base path is \`/auth\` and the site \`https://app.example\`. Register it exactly,
one for each origin (\`http://localhost:3000\` while you develop, if the vendor allows it).

Every provider takes the options of its type as well: \`authorization\`, \`token\`, \`userinfo\`, \`checks\`, \`client\`, \`profile\`,
\`account\`, \`style\` and so on. \`authorization: { params: { scope: '…' } }\` asks for other scopes.

**Verified address** tells whether the vendor vouches for addresses, with the page that says so. An address that counts as
unverified never links an account to a user. By default, it does not create a user either, unless an email provider
[confirms it](mail.md#confirming-the-address-of-another-sign-in). Providers of vendors that do not vouch for addresses have
\`emailVerification: 'never'\`: users are created after such a mail, or if nothing else in your configuration opens them by
address (\`allowDangerousEmailAccountLinking\`), and are not linked by it. Without an adapter, user and
session have no such address. \`unverifiedEmail: 'allow'\` permits both. If you know that a vendor verifies all addresses, set
\`emailVerification: 'always'\`. [Decision 3](../decisions/03-unverified-addresses.md) and
[decision 39](../decisions/39-proof-of-an-address.md) have the reasons.

${facts.map(({ name, id }) => `[${name}](#${anchor(name, id, facts)})`).join(' · ')}

${facts.map((one) => section(one, facts)).join('\n')}`;
}

/** Returns the anchor that GitHub generates for a heading. */
function anchor(name: string, id: string, facts: readonly Facts[]): string {
  return heading(name, id, facts)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Adds the id to a name that several providers have. */
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
      : [`**${isMail ? 'The link opens' : 'Callback URL'}:** ${callback(facts)}`]),
    ...(env.length > 0 ? [`**Environment:** ${env.map((part) => `\`AUTH_${envName(id)}_${part}\``).join(', ')}`] : []),
    ...(issuer ? [`**Issuer:** ${issuer}`] : []),
    ...(type === 'oauth' || type === 'oidc' ? [`**Scopes:** ${scopes ? `\`${scopes}\`` : 'none'}`] : []),
    ...options.map((option) => `**Option** ${option}`),
    ...(facts.user ? [`**The user:** ${userOf(facts)}`, `**Verified address:** ${emailOf(facts)}`] : []),
    ...quirks,
    `**Documentation:** ${see.map((address) => `<${address}>`).join(', ')} (reviewed on ${reviewed})`,
  ];
  return `## ${heading(name, id, all)}

\`${id}\` · ${kinds[type]} · \`import ${factory} from '@latchkey/core/providers/${file}'\`

${about === `${name}.` ? '' : `${about}\n\n`}${lines.map((line) => `- ${line}`).join('\n')}
`;
}

function callback({ id, posted }: Facts): string {
  return `\`https://app.example/auth/callback/${id}\`${posted ? '; the visitor’s browser sends a POST request' : ''}`;
}

function userOf({ user }: Facts): string {
  const members = ['id', 'name', 'email', 'image'].map((member) => {
    const value = user?.[member];
    return value ? `\`${member}\` “${short(value)}”` : `no \`${member}\``;
  });
  return `${members.join(', ')}`;
}

/** Whether the vendor vouches for addresses, with the source. */
function emailOf({ name, email, emailVerification, see, reviewed }: Facts): string {
  const { kind, source, note } = email ?? { kind: 'none', source: undefined, note: '' };
  const pages = see.length === 1 ? `<${see[0]}>` : 'the documentation below';
  const from = source
    ? `Source: <${source.url}>, read on ${source.read}.`
    : `Source: ${pages}, reviewed on ${reviewed}.`;
  const never = "The address does not count as verified (`emailVerification: 'never'`).";
  const counts = emailVerification === 'never' ? never : 'The status of the address is unknown.';
  const untold =
    emailVerification === 'claim'
      ? " Without that statement, the address counts as unverified (`emailVerification: 'claim'`)."
      : '';
  const sentence = {
    stated: `${name} states whether the address is verified.${untold}`,
    unverified: `${name} does not vouch for addresses. ${never}`,
    depends: 'Whether the address counts as verified depends on the configuration.',
    'not-stated': `Not stated by the vendor in ${pages}, reviewed on ${reviewed}. ${counts}`,
    none: `${name} provides no address.`,
  }[kind];
  // Without a page of its own, a sentence about the configuration is about the provider, not a vendor's statement.
  const isOurs = kind === 'not-stated' || (kind === 'depends' && !source);
  return [sentence, note, isOurs ? '' : from].filter(Boolean).join(' ');
}

function short(value: string): string {
  return value.length <= 80 ? value : `${value.slice(0, 60)}…`;
}
