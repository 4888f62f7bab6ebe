/**
 * A row with the same key exists: a user with this address, this account of a provider, this session or this token.
 * Nothing was written. Core reads the existing row, and continues with it.
 *
 * ```ts
 * await adapter.createUser(user).catch((error) => {
 *   if (error instanceof UniqueViolation) return adapter.getUserByEmail(user.email);
 *   throw error;
 * });
 * ```
 */
export class UniqueViolation extends Error {
  /** `UniqueViolation`, for handlers that cannot use `instanceof`. */
  override readonly name: string = 'UniqueViolation';

  /** @param constraint Name of the constraint as the engine reports it; never a value. */
  constructor(constraint: string, options?: ErrorOptions) {
    super(`a row with the same key exists (${constraint})`, options);
  }
}

/** The row that a write refers to does not exist: no user has this id, or no passkey has this credential id. */
export class RowNotFound extends Error {
  /** `RowNotFound`, for handlers that cannot use `instanceof`. */
  override readonly name: string = 'RowNotFound';
}
