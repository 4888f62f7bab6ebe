import { similarTo } from '@latchkey/core/inspection';
import type { ApplicationEnv } from '../load/env-files.ts';
import { factsOf } from '../load/frameworks.ts';
import type { Project } from '../load/project.ts';
import { sourcesIn } from '../load/sources.ts';
import { envName } from './configuration.ts';
import type { Report } from './finding.ts';

/** Variables that the library reads, besides those of providers. */
const READ: ReadonlySet<string> = new Set([
  'AUTH_URL',
  'AUTH_SECRET',
  'AUTH_SECRET_1',
  'AUTH_SECRET_2',
  'AUTH_SECRET_3',
  'AUTH_TRUST_HOST',
  'AUTH_REDIRECT_PROXY_URL',
  'AUTH_REDIRECT_PROXY_ORIGINS',
  'AUTH_DEBUG',
]);
const SUFFIXES = ['ID', 'SECRET', 'ISSUER', 'KEY'];
const MODES: ReadonlySet<string> = new Set(['development', 'production', 'test']);

/**
 * Checks the names and values of environment variables. Values are not printed.
 *
 * @param ids Ids of the configured providers; `undefined` if the configuration is not known.
 */
export function checkEnvironment(
  { root, framework }: Project,
  env: ApplicationEnv,
  ids: readonly string[] | undefined,
  report: Report,
): void {
  const names = Object.keys(env.values).filter((name) => /^(?:NEXT)?AUTH_/.test(name));
  if (ids) checkNames(root, names, ids, report);
  for (const name of names) checkValue(name, env, report);
  checkUrl(env.values['AUTH_URL'], report);
  const mode = env.values['NODE_ENV'];
  report.check(
    'node-env',
    mode !== undefined &&
      !MODES.has(mode) && {
        level: 'warning',
        message: `NODE_ENV is ${JSON.stringify(mode)}, which is not development, production or test.`,
        remedy: 'Set NODE_ENV to production on servers.',
        facts: { value: mode },
      },
  );
  report.check(
    'env-file',
    factsOf(framework).envFiles === 'scripts' &&
      env.unread.length > 0 && {
        level: 'warning',
        message: `nothing loads ${env.unread.join(', ')}.`,
        remedy: `Start the server with \`node --env-file=${env.unread[0]}\`, and give \`--env-file\` to this command, too.`,
        facts: { file: env.unread[0] ?? '' },
      },
  );
}

function checkUrl(value: string | undefined, report: Report): void {
  const isUrl = value === undefined || /^https?:\/\/\S+$/i.test(value.trim());
  report.check(
    'env-url-invalid',
    value !== '' &&
      !isUrl && {
        message: 'AUTH_URL must be an http or https URL; its value is ignored.',
        remedy: 'Begin it with https://.',
        docs: 'errors.md#env-url-invalid',
      },
  );
}

function checkNames(root: string, names: readonly string[], ids: readonly string[], report: Report): void {
  const read = new Set(READ);
  for (const id of ids) for (const suffix of SUFFIXES) read.add(`AUTH_${envName(id)}_${suffix}`);
  const open = new Set(names.filter((name) => !read.has(name) && !/^NEXTAUTH_(SECRET|URL)$/.test(name)));
  if (open.size > 0)
    for (const { text } of sourcesIn(root)) for (const name of open) if (text.includes(name)) open.delete(name);
  report.check('env-name');
  for (const name of open) {
    const meant = meantBy(name, [...read]);
    report.add('env-name', {
      level: 'warning',
      message: `${name} is set but never read.`,
      remedy: meant === undefined ? 'Remove it, or correct its name.' : `Latchkey reads ${meant}.`,
      facts: { name },
    });
  }
}

/** `AUTH_GITHUB_CLIENT_ID` means `AUTH_GITHUB_ID`. */
function meantBy(name: string, read: readonly string[]): string | undefined {
  const short = name
    .replace(/_(?:CLIENT|OAUTH|APP)_/, '_')
    .replace(/^NEXTAUTH_/, 'AUTH_')
    .replace(/_API_KEY$/, '_KEY');
  if (short !== name && read.includes(short)) return short;
  return similarTo(name, read, 2);
}

function checkValue(name: string, { values, sources, expanded }: ApplicationEnv, report: Report): void {
  const value = values[name] ?? '';
  const file = sources[name];
  const wrong =
    value === ''
      ? 'is empty'
      : /^(["'`]).*\1$|^[“”‘’]|[“”‘’]$/s.test(value)
        ? 'is in quotes that are part of the value'
        : value.trim() !== value
          ? 'begins or ends with a space'
          : /[\r\n]/.test(value)
            ? 'has a line break'
            : expanded.includes(name)
              ? 'has a "$", which the framework replaces by another variable'
              : undefined;
  report.check(
    'env-value',
    wrong !== undefined && {
      level: 'warning',
      message: `the value of ${name} ${wrong}${file === undefined ? '' : ` (${file})`}.`,
      remedy: wrong.includes('$')
        ? 'Write "\\$" for a dollar sign.'
        : wrong === 'is empty'
          ? 'Set it, or remove it.'
          : 'Remove these characters.',
      facts: { name, ...(file === undefined ? {} : { file }) },
    },
  );
}
