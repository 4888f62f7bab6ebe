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
export function* checkRateLimit(options: unknown): Iterable<AuthError> {
  if (options === undefined || options === false) return;
  if (!isRecord(options)) {
    yield wrong('', 'must be an object or `false`. Leave it out to keep the defaults');
    return;
  }
  yield* unknownMembers('', options, [...Object.keys(MEMBERS), ...OTHERS]);
  for (const [name, members] of Object.entries(MEMBERS)) yield* checkLimit(`.${name}`, options[name], members);
  const { store, trustedProxyHops: hops } = options;
  if (store !== undefined && !isStore(store)) {
    yield wrong(
      '.store',
      'must have the methods `take` and `release`. Use `SqlRateLimits(db)` or `RedisRateLimits(client)`',
    );
  }
  if (hops !== undefined && !isWhole(hops, 0, limits.proxyHops)) {
    yield wrong(
      '.trustedProxyHops',
      `must be the number of proxies in front of the application, from 0 to ${limits.proxyHops}`,
    );
  }
}

function* checkLimit(path: string, rule: unknown, members: readonly string[]): Iterable<AuthError> {
  if (rule === undefined || rule === false) return;
  if (!isRecord(rule)) {
    yield wrong(path, 'must be `{ limit, window }` or `false`');
    return;
  }
  const { limit, window, identifier } = rule;
  yield* unknownMembers(path, rule, members);
  if (limit !== undefined && !isWhole(limit, 1, limits.rateLimit)) {
    yield wrong(
      `${path}.limit`,
      `must be a whole number from 1 to ${limits.rateLimit}. For no limit, set \`rateLimit${path}: false\``,
    );
  }
  if (window !== undefined && !isWhole(window, 1, limits.rateWindow)) {
    yield wrong(`${path}.window`, `must be a whole number of seconds from 1 to ${limits.rateWindow}`);
  }
  if (members.includes('identifier') && identifier !== undefined && typeof identifier !== 'function') {
    yield wrong(`${path}.identifier`, 'must be a function that returns the identifier of the credentials');
  }
}

function* unknownMembers(path: string, options: Plain, known: readonly string[]): Iterable<AuthError> {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      yield wrong(`${path}.${name}`, `is not an option. The options are ${known.join(', ')}`);
    }
  }
}

function isStore(value: unknown): boolean {
  return isRecord(value) && typeof value['take'] === 'function' && typeof value['release'] === 'function';
}

function wrong(path: string, text: string): AuthError {
  return new AuthError(`\`rateLimit${path}\` ${text}`);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}
