import { AuthError } from '../errors.ts';
import { isRecord, type Plain } from '../plain-object.ts';
import { limits } from './defaults.ts';

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  credentials: ['limit', 'window', 'identifier'],
  email: ['limit', 'window'],
  network: ['limit', 'window'],
};
const OTHERS = ['store', 'trustedProxyHops'];

/** Checks the option `rateLimit`. Each message ends with its remedy. */
export function checkRateLimit(options: unknown): AuthError[] {
  if (options === undefined || options === false) return [];
  if (!isRecord(options)) return [wrong('', 'must be an object or `false`. Leave it out to keep the defaults')];
  return [
    ...unknownMembers('', options, [...Object.keys(MEMBERS), ...OTHERS]),
    ...Object.entries(MEMBERS).flatMap(([name, members]) => checkLimit(name, options[name], members)),
    ...checkStore(options['store']),
    ...checkHops(options['trustedProxyHops']),
  ];
}

function checkLimit(name: string, rule: unknown, members: readonly string[]): AuthError[] {
  if (rule === undefined || rule === false) return [];
  if (!isRecord(rule)) return [wrong(`.${name}`, 'must be `{ limit, window }` or `false`')];
  const { limit, window, identifier } = rule;
  const problems = unknownMembers(`.${name}`, rule, members);
  if (limit !== undefined && !isWhole(limit, 1, limits.rateLimit)) {
    const text = `must be a whole number from 1 to ${limits.rateLimit}. For no limit, set \`rateLimit.${name}: false\``;
    problems.push(wrong(`.${name}.limit`, text));
  }
  if (window !== undefined && !isWhole(window, 1, limits.rateWindow)) {
    problems.push(wrong(`.${name}.window`, `must be a whole number of seconds from 1 to ${limits.rateWindow}`));
  }
  if (members.includes('identifier') && identifier !== undefined && typeof identifier !== 'function') {
    const text = 'must be a function that returns the identifier of the credentials';
    problems.push(wrong(`.${name}.identifier`, text));
  }
  return problems;
}

function checkStore(store: unknown): AuthError[] {
  if (store === undefined) return [];
  if (isRecord(store) && typeof store['take'] === 'function' && typeof store['release'] === 'function') return [];
  const text = 'must have the methods `take` and `release`. Use `SqlRateLimits(db)` or `RedisRateLimits(client)`';
  return [wrong('.store', text)];
}

function checkHops(hops: unknown): AuthError[] {
  if (hops === undefined || isWhole(hops, 0, limits.proxyHops)) return [];
  const text = `must be the number of proxies in front of the application, from 0 to ${limits.proxyHops}`;
  return [wrong('.trustedProxyHops', text)];
}

function unknownMembers(path: string, options: Plain, known: readonly string[]): AuthError[] {
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => wrong(`${path}.${name}`, `is not an option. The options are ${known.join(', ')}`));
}

function wrong(path: string, text: string): AuthError {
  return new AuthError(`\`rateLimit${path}\` ${text}`);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}
