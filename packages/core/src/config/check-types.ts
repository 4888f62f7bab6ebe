import { AuthError } from '../errors.ts';
import { isRecord, type Plain } from '../plain-object.ts';
import type { AuthConfig } from '../types/config.ts';

/** The type that an option must have. */
interface Rule {
  readonly fits: (value: unknown) => boolean;
  /** For the message: "must be …". */
  readonly words: string;
}

const text: Rule = { fits: (value) => typeof value === 'string', words: 'a string' };
const flag: Rule = { fits: (value) => typeof value === 'boolean', words: '`true` or `false`' };
const group: Rule = { fits: isRecord, words: 'an object' };
const action: Rule = { fits: (value) => typeof value === 'function', words: 'a function' };
const texts: Rule = { fits: isTextList, words: 'a list of strings' };
const secret: Rule = { fits: (value) => text.fits(value) || isTextList(value), words: 'a string or a list of strings' };
const store: Rule = { fits: (value) => group.fits(value) || action.fits(value), words: 'an object or a function' };

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Options whose wrong type would make code throw. The other checks report further options. */
const RULES: Readonly<Record<string, Rule>> = {
  adapter: store,
  basePath: text,
  callbacks: group,
  cookies: group,
  events: group,
  experimental: group,
  jwt: group,
  pages: group,
  redirectProxyOrigins: texts,
  secret,
  session: group,
  theme: group,
  useSecureCookies: flag,
};

const MEMBERS: Readonly<Record<string, Rule | Readonly<Record<string, Rule>>>> = {
  callbacks: action,
  events: action,
  theme: text,
  jwt: { secret, encode: action, decode: action },
  session: { generateSessionToken: action },
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

/** Checks the types of the options. Each message ends with its remedy. */
export function checkTypes(config: AuthConfig): AuthError[] {
  return wrongOptions(config).map(({ name, member, rule, value }) => {
    const path = member === undefined ? name : `${name}.${member}`;
    const found = Array.isArray(value) ? 'list' : typeof value;
    return new AuthError(`\`${path}\` must be ${rule.words}, but is of type ${found}. Correct it, or leave it out`);
  });
}

interface WrongOption {
  readonly name: string;
  readonly member?: string;
  readonly rule: Rule;
  readonly value: unknown;
}

function wrongOptions(config: AuthConfig): WrongOption[] {
  const options = config as unknown as Plain;
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const value = options[name];
    if (isUnset(value, rule)) return [];
    return rule.fits(value) ? wrongMembers(name, value) : [{ name, rule, value }];
  });
}

function wrongMembers(name: string, options: unknown): WrongOption[] {
  const rules = MEMBERS[name];
  if (!rules || !isRecord(options)) return [];
  return Object.entries(options).flatMap(([member, value]) => {
    const rule = isRule(rules) ? rules : rules[member];
    return !rule || isUnset(value, rule) || rule.fits(value) ? [] : [{ name, member, rule, value }];
  });
}

function isRule(rules: Rule | Readonly<Record<string, Rule>>): rules is Rule {
  return typeof rules['fits'] === 'function';
}

/** Applications write `adapter: condition && adapter`. */
function isUnset(value: unknown, rule: Rule): boolean {
  return value === undefined || value === null || ((rule === group || rule === store) && !value);
}
