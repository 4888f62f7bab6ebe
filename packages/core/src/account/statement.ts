import { defaults, limits } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { randomBase64Url } from '../crypto/bytes.ts';
import { openIfValid, seal } from '../crypto/seal.ts';
import { Verification } from '../errors.ts';
import { takeRow } from '../identity/email/store.ts';
import type { Store } from '../store/store.ts';
import type { VerificationToken } from '../types/adapter.ts';
import { accountRow, identifierOf } from './token-row.ts';

/** The statement of a link in a notice: the change that it undoes. */
export interface Statement {
  readonly purpose: 'undo';
  readonly userId: string;
  /** `email`: the address has changed. `way`: a way to sign in was added. */
  readonly what: 'email' | 'way';
  /** The previous address; for a way, its id. */
  readonly from: string;
  /** The new address. Empty for a way. */
  readonly to: string;
  /** When the change happened. Exact to the second, as is `until`. */
  readonly at: Date;
  /** When the link expires. */
  readonly until: Date;
  readonly id: string;
  /** When the previous address was proven; `null` if it was not, or for a way. */
  readonly verified: Date | null;
  /** When the new address was proven, which the store has; `null` for a way. */
  readonly proven: Date | null;
}

/** The parts of a new statement. */
export type StatementContent = Omit<Statement, 'purpose' | 'at' | 'until' | 'id'>;

const SALT = 'latchkey.account-statement';

/**
 * Seals a statement for a link that is valid for 72 hours and can be used once.
 *
 * @returns `undefined` if the adapter cannot tell whether a link was used, or if the statement is longer than 2 kB.
 * @throws {AdapterError} if the store fails.
 */
export async function issueStatement(
  { settings, now, origin, basePath }: Context,
  store: Store,
  content: StatementContent,
): Promise<string | undefined> {
  const id = randomBase64Url(16);
  const maxAge = defaults.account.undo;
  // Sites that share a secret must not accept each other's links.
  const claims = {
    ...content,
    verified: content.verified?.getTime() ?? null,
    proven: content.proven?.getTime() ?? null,
    purpose: 'undo',
    id,
    base: origin + basePath,
  };
  const text = await seal(claims, { secrets: settings.sealingSecrets, salt: SALT, maxAge, now });
  if (text.length > limits.statement || !canSpend(store)) return undefined;
  const until = new Date((Math.floor(now.getTime() / 1000) + maxAge) * 1000);
  await store.createVerificationToken?.(await rowOf(store, { userId: content.userId, id, until }));
  return text;
}

/** Reads a statement; `undefined` if it is broken, too old, or of another site. */
export async function readStatement(
  { settings, now, origin, basePath }: Context,
  text: unknown,
): Promise<Statement | undefined> {
  if (typeof text !== 'string' || text.length > limits.statement) return undefined;
  const claims = await openIfValid(text, { secrets: settings.sealingSecrets, salt: SALT, now });
  const { purpose, userId, what, from, to, verified, proven, id, base, iat, exp } = claims ?? {};
  if (purpose !== 'undo' || base !== origin + basePath || (what !== 'email' && what !== 'way')) return undefined;
  if (typeof userId !== 'string' || typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (typeof id !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  return {
    ...{ purpose, userId, what, from, to, id },
    at: new Date(iat * 1000),
    until: new Date(exp * 1000),
    verified: typeof verified === 'number' ? new Date(verified) : null,
    proven: typeof proven === 'number' ? new Date(proven) : null,
  };
}

/** The result of a use. */
interface Use {
  /** The link stays usable: the change could not be undone, and the reason may go away. Default: `false`. */
  readonly isOpen?: boolean | undefined;
}

/**
 * Carries out the work that a statement allows, once.
 *
 * The adapter's table of mailed tokens has a row for each statement. The row is put back if the work fails, so that the
 * visitor can try again. Without that table, `spendOnce` remembers the id; then the link is used up by the first try.
 *
 * @throws {Verification} if the statement was used before.
 */
export async function useStatement<Result extends Use>(
  store: Store,
  statement: Statement,
  work: () => Promise<Result>,
): Promise<Result> {
  const putBack = await spend(store, statement);
  try {
    const result = await work();
    if (result.isOpen) await putBack();
    return result;
  } catch (error) {
    await putBack();
    throw error;
  }
}

function hasTokens(store: Store): boolean {
  return store.createVerificationToken !== undefined && store.useVerificationToken !== undefined;
}

function canSpend(store: Store): boolean {
  return hasTokens(store) || store.spendOnce !== undefined;
}

/** Returns a function that makes the statement usable again. */
async function spend(store: Store, statement: Statement): Promise<() => Promise<void>> {
  const row = await rowOf(store, statement);
  const isFirst = hasTokens(store)
    ? Boolean(await takeRow(store, row.identifier, row.token))
    : await store.spendOnce?.(`statement:${statement.id}`, statement.until);
  if (!isFirst) throw new Verification('the link was used before');
  return async () => void (await store.createVerificationToken?.(row));
}

/**
 * Makes all links of a user unusable, if the adapter can delete the rows of an identifier. Some databases give the id
 * of a deleted user to the next one, whom the links must not change.
 */
export async function voidStatements(store: Store, userId: string): Promise<void> {
  await store.deleteVerificationTokens?.({ identifier: await identifierOf('undo', [userId]) });
}

/** With an adapter that can delete the rows of an identifier, all rows of a user have the same. */
async function rowOf(
  store: Store,
  { userId, id, until }: Pick<Statement, 'userId' | 'id' | 'until'>,
): Promise<VerificationToken> {
  const row = await accountRow('undo', [userId, id], until);
  return store.deleteVerificationTokens ? { ...row, identifier: await identifierOf('undo', [userId]) } : row;
}
