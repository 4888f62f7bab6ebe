import { AuthError } from '../errors.ts';
import type { RateLimitOptions, RateLimitStore } from '../rate-limit-types.ts';
import { limits } from './defaults.ts';

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  credentials: ['limit', 'window', 'identifier'],
  email: ['limit', 'window'],
  network: ['limit', 'window'],
};
const OTHERS = ['store', 'trustedProxyHops'];

/** What is wrong with the option `rateLimit`. Each message ends with its remedy. */
export function checkRateLimit(given: unknown): AuthError[] {
  if (given === undefined || given === false) return [];
  if (!isRecord(given)) return [wrong('', 'is neither options nor `false`', 'Leave it out to have the usual limits')];
  const options: RateLimitOptions & Record<string, unknown> = given;
  const names = [...Object.keys(MEMBERS), ...OTHERS];
  return [
    ...unknownMembers('', options, names),
    ...Object.entries(MEMBERS).flatMap(([name, members]) => checkLimit(name, options[name], members)),
    ...checkStore(options.store),
    ...checkHops(options.trustedProxyHops),
  ];
}

function checkLimit(name: string, given: unknown, members: readonly string[]): AuthError[] {
  if (given === undefined || given === false) return [];
  if (!isRecord(given)) return [wrong(`.${name}`, 'is neither a limit nor `false`', 'Give `{ limit, window }`')];
  const { limit, window, identifier } = given;
  const problems = unknownMembers(`.${name}`, given, members);
  if (limit !== undefined && !isWhole(limit, 1, limits.rateLimit)) {
    const remedy = `Give a whole number from 1 to ${limits.rateLimit}, or \`rateLimit.${name}: false\` for no limit`;
    problems.push(wrong(`.${name}.limit`, 'is no number of times', remedy));
  }
  if (window !== undefined && !isWhole(window, 1, limits.rateWindow)) {
    const remedy = `Give whole seconds, from 1 to ${limits.rateWindow}`;
    problems.push(wrong(`.${name}.window`, 'is no number of seconds', remedy));
  }
  if (members.includes('identifier') && identifier !== undefined && typeof identifier !== 'function') {
    const remedy = 'Give a function that returns the identifier of the credentials';
    problems.push(wrong(`.${name}.identifier`, 'is no function', remedy));
  }
  return problems;
}

function checkStore(store: unknown): AuthError[] {
  if (store === undefined) return [];
  const { take, giveBack } = (store ?? {}) as Partial<RateLimitStore>;
  if (typeof take === 'function' && typeof giveBack === 'function') return [];
  const remedy =
    'Give `SqlRateLimits(db)` or `RedisRateLimits(client)`, or something else that has `take` and `giveBack`';
  return [wrong('.store', 'is no store of counters', remedy)];
}

function checkHops(hops: unknown): AuthError[] {
  if (hops === undefined || isWhole(hops, 0, limits.proxyHops)) return [];
  const remedy = `Give the number of proxies in front of the application, from 0 to ${limits.proxyHops}`;
  return [wrong('.trustedProxyHops', 'is no number of proxies', remedy)];
}

function unknownMembers(path: string, given: object, known: readonly string[]): AuthError[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => wrong(`${path}.${name}`, 'is no option', `There are: ${known.join(', ')}`));
}

function wrong(path: string, what: string, remedy: string): AuthError {
  return new AuthError(`\`rateLimit${path}\` ${what}. ${remedy}`);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
