import type { Page } from '@latchkey/testing';
import { type Identity, type Mode, modes } from '../people.ts';
import type { Part } from '../windows.ts';

/** The application, or the provider, could not do its work. Excused while a part was down that it needed. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
  /** The code of an error page; the status otherwise. */
  readonly code: string;

  constructor(what: string, code: string) {
    super(`${what}: ${code}`);
    this.code = code;
  }
}

/** Something came that nothing excuses. */
export class Wrong extends Error {
  override readonly name = 'Wrong';
}

/** Content of a session. */
export interface Told {
  readonly id: string;
  readonly email: string;
  readonly name: string | null | undefined;
}

/** Codes by which Latchkey tells that a part failed. Any other means that it took the visitor to be at fault. */
const EXCUSABLE: ReadonlySet<string> = new Set([
  'Configuration',
  // The session cannot be read.
  'SessionRequired',
  'OAuthSignin',
  'OAuthCallbackError',
  'OAuthCreateAccount',
  'EmailCreateAccount',
  'Callback',
]);

/** Does a part that was down explain this? */
export function isExcused(trouble: Trouble, met: readonly Part[]): boolean {
  if (met.length === 0) return false;
  // New keys excuse only this error.
  if (met.every((part) => part === 'keys')) return trouble.code === 'OAuthCallbackError';
  if (trouble.code.startsWith('provider')) return met.includes('provider');
  return EXCUSABLE.has(trouble.code) || /^5\d\d$/.test(trouble.code);
}

/** Returns the error code of a redirect to an error or sign-in page, or `undefined` for another response. */
export function errorCodeOf({ redirect }: Page): string | undefined {
  return redirect?.searchParams.get('error') ?? undefined;
}

/** @throws {Trouble} when the answer says that something failed. */
export function mustBeFine(page: Page, what: string): void {
  const code = errorCodeOf(page);
  if (code !== undefined) throw new Trouble(what, code);
  if (page.status >= 400) throw new Trouble(what, String(page.status));
}

/**
 * Returns the session in a response, or `null` if the visitor is signed out.
 *
 * @throws {Wrong} when it is neither.
 */
export function readTold(page: Page, what: string): Told | null {
  const body = page.json<{ user?: Partial<Told> } | null>();
  if (body === null) return null;
  const { id, email, name } = body.user ?? {};
  if (typeof id !== 'string' || typeof email !== 'string') throw new Wrong(`${what}: no session, but ${page.text()}`);
  return { id, email, name };
}

/** Which parts each mode needs to read a session. */
export const readers: Readonly<Record<Mode, readonly Part[]>> = {
  jwt: ['postgres'],
  postgres: ['postgres'],
  redis: ['postgres', 'redis'],
};

/** Returns the parts that a sign-in needs. Redis is optional: without it, each process counts attempts by itself. */
export function signInParts(mode: Mode, method: Identity['method']): readonly Part[] {
  const stores: readonly Part[] = mode === 'redis' ? ['postgres', 'redis'] : ['postgres'];
  return method === 'idp' ? [...stores, 'provider', 'keys'] : stores;
}

/** The known ids. An identity always has the same id, and no other identity has it. */
export class Registry {
  readonly #byEmail = new Map<string, string>();
  readonly #byId = new Map<string, string>();

  /** @throws {Wrong} when the id is not the identity's. */
  check({ id, email }: Told): void {
    const known = this.#byEmail.get(email);
    const owner = this.#byId.get(id);
    if ((known ?? id) !== id) throw new Wrong(`${email} was user ${known}, and is user ${id} now`);
    if ((owner ?? email) !== email) throw new Wrong(`user ${id} was ${owner}, and is ${email} now`);
    this.#byEmail.set(email, id);
    this.#byId.set(id, email);
  }
}

/** The mode of visitor `number`: as many of each. */
export function modeOf(number: number): Mode {
  return modes[number % modes.length] as Mode;
}
