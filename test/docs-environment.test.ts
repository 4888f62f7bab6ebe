import { globSync, readFileSync } from 'node:fs';
import { FakeProvider } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { withEnv } from '../packages/core/src/config/env.ts';
import { modeOf } from '../packages/core/src/config/mode.ts';
import Resend from '../packages/core/src/providers/resend.ts';
import type { AuthConfig } from '../packages/core/src/types/config.ts';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('docs/environment.md', root), 'utf8');

/** The cells of the rows whose first cell is in code marks. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

const named = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const listed = rows.flatMap(([, first]) => named(first)).filter((name) => /^[A-Z_]+(<ID>_)?[A-Z_\d]+$/.test(name));

/** The sources of the packages without comments, except the command line, which only reports variables. */
const sources = globSync('packages/!(cli|testing)/src/**/*.ts', { cwd: root })
  .map((path) => readFileSync(new URL(path, root), 'utf8').replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, ''))
  .join('\n');

/** Set by builds and not by users: Next.js replaces the first by a text, React Router sets the second. */
const setByBuild = ['__NEXT_ROUTER_BASEPATH', 'IS_RR_BUILD_REQUEST'];

/** Values with which each variable has an effect on its option. */
const values: Record<string, string> = {
  AUTH_URL: 'https://app.example/own',
  AUTH_TRUST_HOST: 'true',
  AUTH_REDIRECT_PROXY_URL: 'https://proxy.example/auth',
  AUTH_REDIRECT_PROXY_ORIGINS: 'https://a.example, https://b.example',
};

const optionOf = (env: Record<string, string>, option: string): unknown => {
  const config: AuthConfig = { providers: [] };
  return withEnv(config, { NODE_ENV: 'production', ...env }).config[option as keyof AuthConfig];
};

describe('docs/environment.md', () => {
  it('has each variable that the packages read', () => {
    const read = [
      ...sources.matchAll(/\benv(?:\.|\[')([A-Z_][A-Z\d_]+)/g),
      ...sources.matchAll(/\{([^{}()]*)\}: (?:\w*Env\b|\{ readonly NODE_ENV)/g),
    ].flatMap(([, text = '']) => text.match(/\b[A-Z_]{2,}[A-Z\d_]*\b/g) ?? []);
    expect(read.length).toBeGreaterThan(15);
    expect([...new Set(read)].filter((name) => !setByBuild.includes(name) && !listed.includes(name))).toEqual([]);
  });

  it('has no variable that no package reads', () => {
    const spelled = listed.map((name) => name.replace('AUTH_<ID>', ''));
    expect(spelled.length).toBeGreaterThan(15);
    expect(spelled.filter((name) => !sources.includes(name))).toEqual([]);
  });

  const ofConfig = rows.flatMap(([, first, options]) =>
    named(first).flatMap((name) =>
      name.includes('<ID>') ? [] : named(options).map((option): [string, string] => [name, option]),
    ),
  );
  const settable = ofConfig.filter(([, option]) => /^(secret|basePath|trustHost|redirect\w+)$/.test(option));

  it.each(settable)('%s sets the option %s', (name, option) => {
    expect(optionOf({ [name]: values[name] ?? 'a'.repeat(32) }, option)).not.toEqual(optionOf({}, option));
  });

  it.each(
    rows.filter(([, first]) => first?.includes('<ID>')).map(([, first, option]) => [named(first)[0], named(option)[0]]),
  )('%s sets the option %s of a provider', (name = '', option = '') => {
    const isMail = option === 'apiKey';
    const { clientId: _, clientSecret: __, issuer: ___, ...provider } = new FakeProvider().provider();
    const config: AuthConfig = { providers: [isMail ? Resend : provider] };
    const id = isMail ? 'RESEND' : 'FAKE';
    const [complete] = withEnv(config, { [name.replace('<ID>', id)]: 'https://value.example' }).config.providers;
    expect(complete).toMatchObject({ [option]: 'https://value.example' });
  });

  it.each([
    ['production', 'none', 'never'],
    ['development', 'all', 'yes'],
    ['', 'loopback and private names', 'for local requests only'],
    ['test', 'loopback and private names', 'never'],
    ['staging', 'loopback and private names', 'never'],
  ])('says what NODE_ENV "%s" does', (value, hosts, details) => {
    const { trustHost, development } = modeOf({ NODE_ENV: value });
    expect({ false: 'none', true: 'all', local: 'loopback and private names' }[String(trustHost)]).toBe(hosts);
    expect({ false: 'never', true: 'yes', local: 'for local requests only' }[String(development)]).toBe(details);
    const label =
      { '': 'not set', staging: '`test`, other values', test: '`test`, other values' }[value] ?? `\`${value}\``;
    const [row = []] = page
      .split('\n')
      .filter((line) => line.startsWith(`| ${label} |`))
      .map((line) => line.split('|'));
    expect(row[2]).toContain(hosts);
    expect(row[3]).toContain(details);
  });
});
