import { isRecord, type Plain } from '../plain-object.ts';
import type { AuthConfig } from '../types/config.ts';

/** The type that an option must have. */
export type OptionType = 'text' | 'flag' | 'group' | 'action' | 'list' | 'texts' | 'secret' | 'store' | 'feature';

const types: Readonly<Record<OptionType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  group: isRecord,
  action: (value) => typeof value === 'function',
  list: Array.isArray,
  texts: isTextList,
  secret: (value) => typeof value === 'string' || isTextList(value),
  store: (value) => isRecord(value) || typeof value === 'function',
  feature: (value) => isRecord(value) || typeof value === 'boolean',
};

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Options whose wrong type would make code throw. The other checks report further options. */
const OPTIONS: Readonly<Record<string, OptionType>> = {
  account: 'feature',
  adapter: 'store',
  basePath: 'text',
  callbacks: 'group',
  cookies: 'group',
  events: 'group',
  experimental: 'group',
  jwt: 'group',
  legacy: 'list',
  locale: 'group',
  logout: 'group',
  mail: 'group',
  pages: 'group',
  redirectProxyOrigins: 'texts',
  secret: 'secret',
  session: 'group',
  theme: 'group',
  tokens: 'group',
  useSecureCookies: 'flag',
};

/** The type of all members of an option, or of single ones. */
const MEMBERS: Readonly<Record<string, OptionType | Readonly<Record<string, OptionType>>>> = {
  account: { page: 'flag', without: 'texts', hasPassword: 'action', beforeDelete: 'action', exportMore: 'action' },
  callbacks: 'action',
  events: 'action',
  mail: { from: 'text', send: 'action' },
  theme: {
    name: 'text',
    favicon: 'text',
    colorScheme: 'text',
    brandColor: 'text',
    buttonText: 'text',
    variables: 'group',
    lastUsed: 'flag',
    marks: 'text',
  },
  tokens: { revokeOnSignOut: 'flag', kms: 'group' },
  jwt: { secret: 'secret', encode: 'action', decode: 'action' },
  session: { generateSessionToken: 'action' },
};

/**
 * Returns the configuration without the options that have a wrong type.
 *
 * @returns The same object if all types fit.
 */
export function usableConfig(config: AuthConfig): AuthConfig {
  const wrong = wrongOptions(config);
  if (wrong.length === 0) return config;
  const copy: Plain = { ...config };
  for (const { name, member } of wrong) {
    const options = copy[name];
    if (member === undefined || !isRecord(options)) delete copy[name];
    else copy[name] = Object.fromEntries(Object.entries(options).filter(([key]) => key !== member));
  }
  return copy as unknown as AuthConfig;
}

/** An option, or one of its members, that has a wrong type. */
export interface WrongOption {
  readonly name: string;
  readonly member?: string;
  /** The type that it must have. */
  readonly type: OptionType;
  readonly value: unknown;
}

/** Lists the options of a wrong type. */
export function wrongOptions(config: AuthConfig): WrongOption[] {
  const options = config as unknown as Plain;
  return Object.entries(OPTIONS).flatMap(([name, type]) => {
    const value = options[name];
    return fits(value, type) ? wrongMembers(name, value) : [{ name, type, value }];
  });
}

function wrongMembers(name: string, options: unknown): WrongOption[] {
  const members = MEMBERS[name];
  if (!members || !isRecord(options)) return [];
  return Object.entries(options).flatMap(([member, value]) => {
    const type = typeof members === 'string' ? members : members[member];
    return !type || fits(value, type) ? [] : [{ name, member, type, value }];
  });
}

/** An option may be unset. Applications write `adapter: condition && adapter`. */
function fits(value: unknown, type: OptionType): boolean {
  if (value === undefined || value === null || types[type](value)) return true;
  return !value && (type === 'group' || type === 'store');
}
