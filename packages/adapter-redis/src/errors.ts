/**
 * A row with the same key exists: a user with this address or id, or this account, session, token or authenticator.
 * Nothing was written. Core then reads again and uses the row that exists.
 *
 * ```ts
 * if (error instanceof UniqueViolation) return 'This address is taken.';
 * ```
 */
export class UniqueViolation extends Error {
  /** `UniqueViolation`, for handlers that cannot use `instanceof`. */
  override readonly name: string = 'UniqueViolation';

  /** @param member The member that is taken, such as `user.email`; never its value. */
  constructor(member: string, options?: ErrorOptions) {
    super(`a row with the same key exists (${member})`, options);
  }
}

/**
 * The user or authenticator to which a write refers does not exist. Nothing was written.
 *
 * ```ts
 * if (error instanceof RowNotFound) return 'This account was deleted.';
 * ```
 */
export class RowNotFound extends Error {
  /** `RowNotFound`, for handlers that cannot use `instanceof`. */
  override readonly name: string = 'RowNotFound';
}
