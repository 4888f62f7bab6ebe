import type { Option } from './read.ts';

/** The page that explains an option, by the first part of its path. */
const pages: Record<string, string> = {
  providers: '[Providers](providers.md)',
  secret: '[Rotate secrets](guides/rotate-secrets.md)',
  session: '[Sessions](sessions.md)',
  logout: '[Sessions](sessions.md)',
  account: '[Accounts](account.md)',
  linking: '[Linking](linking.md)',
  tokens: '[Provider tokens](tokens.md)',
  legacy: '[Move from another library](guides/move-from-another-library.md)',
  jwt: '[Secrets and tokens](configuration.md#secrets-and-tokens)',
  pages: '[Pages](pages.md)',
  callbacks: '[Callbacks](configuration.md#callbacks)',
  events: '[Events](configuration.md#events)',
  adapter: '[Adapters](adapters.md)',
  debug: '[The log](configuration.md#the-log)',
  logger: '[The log](configuration.md#the-log)',
  theme: '[Pages](pages.md)',
  mail: '[Mail](mail.md)',
  locale: '[Pages](pages.md)',
  useSecureCookies: '[Cookies](concepts/cookies.md)',
  cookies: '[Cookies](configuration.md#cookies)',
  trustHost: '[Origin and base path](configuration.md#where-it-is)',
  basePath: '[Origin and base path](configuration.md#where-it-is)',
  redirectProxyUrl: '[Origin and base path](configuration.md#where-it-is)',
  redirectProxyOrigins: '[Origin and base path](configuration.md#where-it-is)',
  skipCSRFCheck: '[For framework authors](configuration.md#for-framework-authors)',
  raw: '[For framework authors](configuration.md#for-framework-authors)',
  rateLimit: '[Rate limits](rate-limits.md)',
  experimental: '[Passkeys](passkeys.md)',
  '[allowShortSecret]': '[Secrets and tokens](configuration.md#secrets-and-tokens)',
};

const head = `# Options

<!-- Written by \`npm run options\` from the documentation comments of \`AuthConfig\`. Do not edit. -->

This page lists every option of \`AuthConfig\` with its type and default, as your editor shows them. The page
[Configuration](configuration.md) explains how options work together. [Environment variables](environment.md) can set
some of them. An option without "Since" has been there since the first release.
`;

/**
 * Writes the page of the options: a section for each member of \`AuthConfig\`, with its own members below.
 *
 * @throws {Error} If an option is not in {@link pages}.
 */
export function optionsPage(options: readonly Option[]): string {
  return `${[head, ...options.map(section)].join('\n')}`;
}

function section(option: Option): string {
  const { path, type, description, fallback, isRequired, since } = option;
  const [first = path] = path.split('.');
  const more = pages[first];
  if (!more) throw new Error(`packages/core/scripts/options/page.ts names no page for the option ${path}`);
  const facts = [
    `- Type: ${code(type)}`,
    ...(fallback ? [`- Default: ${linked(fallback)}`] : isRequired ? ['- Required'] : []),
    ...(since ? [`- Since: ${since}`] : []),
    ...(path === first ? [`- More: ${more}`] : []),
  ];
  const heading = `${path === first ? '##' : '###'} ${path.replace(/[[\]]/g, '\\$&')}`;
  return `${[heading, ...(description ? [wrapped(linked(description))] : []), facts.map(item).join('\n')].join('\n\n')}\n`;
}

/** A text in code marks, also if it has such marks itself. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Turns the links of a docstring into links between pages. */
function linked(text: string): string {
  return text
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/`?\bdocs\/([\w-]+)\.md`?/g, (_whole, name: string) => `[${name}](${name}.md)`);
}

/** Breaks a text into lines of at most 120 characters. */
function wrapped(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines.splice(-1, 1, word);
    else if (indent.length + line.length + 1 + word.length <= 120) lines.splice(-1, 1, `${line} ${word}`);
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}

function item(text: string): string {
  return wrapped(text, '  ');
}
