import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { defaults, limits } from '../packages/core/src/config/defaults.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const page = read('docs/configuration.md');

interface Row {
  first: string;
  others: string;
}

/** The rows of tables: the first cell, and the text of the others. */
function rowsOf(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.map(([, first = '', ...others]) => ({ first, others: others.join(' ') }));
}

/** The tables of providers' own options have names that the configuration has, too. */
const ofProviders = page.slice(page.indexOf('| OAuth and OpenID'), page.indexOf('## The store'));
const providerRows = rowsOf(ofProviders);
const rows = rowsOf(page.replace(ofProviders, ''));

const rowOf = (option: string, among = rows): string | undefined =>
  among.find(({ first }) => names(first).includes(option))?.others;

/** Returns the names in code marks, without parameters: `account` for `account(tokens)`. */
function names(cell: string): string[] {
  return [...cell.matchAll(/`([^`(]+)(?:\([^`]*\))?`/g)].map(([, name = '']) => name);
}

/** Names of an interface's own members, from the source: types leave nothing behind at run time. */
function members(path: string, name: string): string[] {
  const source = ts.createSourceFile(path, read(`packages/core/src/${path}`), ts.ScriptTarget.Latest);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((one) => one.name.text === name);
  return (found?.members ?? []).flatMap((member) => (member.name ? [member.name.getText(source)] : []));
}

/** Options that have members of their own, each with a row. */
const groups: readonly [option: string, path: string, type: string][] = [
  ['session', 'types/config.ts', 'SessionOptions'],
  ['logout', 'types/config.ts', 'LogoutOptions'],
  ['jwt', 'types/session.ts', 'JWTOptions'],
  ['pages', 'types/config.ts', 'PagesOptions'],
  ['callbacks', 'types/config.ts', 'CallbacksOptions'],
  ['events', 'types/config.ts', 'EventCallbacks'],
  ['pages', 'types/theme.ts', 'PageLinks'],
  ['theme', 'types/theme.ts', 'Theme'],
  ['locale', 'types/locale.ts', 'LocaleOptions'],
  ['cookies', 'types/config.ts', 'CookiesOptions'],
  ['cookies', 'types/config.ts', 'CookiePrefixOptions'],
  ['rateLimit', 'types/config.ts', 'RateLimitOptions'],
];
const grouped = [...groups.map(([option]) => option), 'experimental'];

/** Not for applications. */
const internal = ['[deployment]'];
const plain = members('types/config.ts', 'AuthConfig').filter((option) => ![...grouped, ...internal].includes(option));
const nested = groups.flatMap(([option, path, type]) => members(path, type).map((member) => `${option}.${member}`));
const providerOptions = [
  ...members('providers/oauth.ts', 'OAuth2Config'),
  ...members('providers/oauth.ts', 'OIDCConfig'),
  ...members('types/provider.ts', 'EmailConfig'),
  ...members('providers/credentials.ts', 'CredentialsConfig'),
].filter((member) => !['id', 'name', 'type', 'options'].includes(member));

/** The text that editors show for each member of an interface; '' without one. */
function hovers(path: string, name: string): [member: string, text: string, isOptional: boolean][] {
  const source = ts.createSourceFile(path, read(`packages/core/src/${path}`), ts.ScriptTarget.Latest, true);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((one) => one.name.text === name);
  const named = (found?.members ?? []).filter((member) => member.name !== undefined);
  return named.map((member) => [
    `${name}.${member.name?.getText(source)}`,
    ts
      .getJSDocCommentsAndTags(member)
      .map((doc) => doc.getText(source))
      .join(' '),
    member.questionToken !== undefined,
  ]);
}

const shown = [
  ['types/config.ts', 'AuthConfig'],
  ...groups.map(([, path, type]) => [path, type]),
  ['providers/oauth.ts', 'OAuth2Config'],
  ['providers/oauth.ts', 'OIDCConfig'],
  ['types/provider.ts', 'EmailConfig'],
  ['providers/credentials.ts', 'CredentialsConfig'],
  ['providers/webauthn.ts', 'WebAuthnConfig'],
].flatMap(([path = '', type = '']) => hovers(path, type));

describe('an option that the reader of a configuration points at', () => {
  it.each(shown)('%s shows what it does, and its default if it may be left out', (_option, text, isOptional) => {
    expect(text).toMatch(/^\/\*\*[\s*]+\S/);
    if (isOptional) expect(text).toMatch(/Default:\s|Required|Internal: |It has no effect|@deprecated/);
  });
});

describe('docs/configuration.md', () => {
  it('is compared with what there is', () => {
    expect(members('types/config.ts', 'AuthConfig')).toEqual(expect.arrayContaining(grouped));
    expect([plain.length > 10, nested.length > 30, providerOptions.length > 20]).toEqual([true, true, true]);
  });

  it.each([...plain, ...nested, 'experimental.enableWebAuthn'])('has a row for %s', (option) => {
    expect(rowOf(option)).toBeDefined();
  });

  it.each(providerOptions)('has a row for the option %s of a provider', (option) => {
    expect(rowOf(option, providerRows)).toBeDefined();
  });

  it('names no option that there is not', () => {
    const known = [...nested, 'experimental.enableWebAuthn', 'callbacks.authorized'];
    const written = rows
      .flatMap(({ first }) => names(first))
      .filter((name) => grouped.includes(name.split('.')[0] ?? ''));
    expect(written.filter((name) => !known.includes(name))).toEqual([]);
  });

  const { session, email, rateLimit, oauth } = defaults;
  const rule = ({ limit, window }: { limit: number; window: number }): string => `${limit} in ${window} seconds`;

  it.each([
    ['session.maxAge', String(session.maxAge)],
    ['session.updateAge', String(session.updateAge)],
    ['basePath', defaults.basePath],
    ['rateLimit.credentials', rule(rateLimit.credentials)],
    ['rateLimit.email', rule(rateLimit.email)],
    ['rateLimit.network', rule(rateLimit.network)],
    ['rateLimit.store', limits.rateCounters.toLocaleString('en')],
    ['rateLimit.trustedProxyHops', `0 to ${limits.proxyHops}`],
    ['cookies.state', `${limits.flowAge / 60} minutes`],
  ])('says the default, or the limit, of %s: %s', (option, value) => {
    expect(rowOf(option)).toContain(value);
  });

  it.each([
    ['maxAge', String(email.maxAge)],
    ['checks', `\`[${oauth.checks.map((check) => `'${check}'`)}]\``],
    ['authorization', oauth.scope],
    ['[customFetch]', `${limits.remoteTime / 1000} seconds and ${limits.remoteBytes / 2 ** 20} MiB`],
  ])('says the default, or the limit, of the option %s of a provider: %s', (option, value) => {
    expect(rowOf(option, providerRows)).toContain(value);
  });
});
