/**
 * The row exists already: a user with this address, this account of a provider, this session or verification token. Nothing
 * was written. Core takes the rejection as "somebody was faster", looks again, and joins the row that it finds.
 */
export class UniqueViolation extends Error {
  override readonly name: string = 'UniqueViolation';

  /** @param constraint What the engine names as violated; never a value. */
  constructor(constraint: string, options?: ErrorOptions) {
    super(`a row of the same key exists already (${constraint})`, options);
  }
}

/** The row that a write refers to does not exist: no such user, or no such passkey. Nothing was written. */
export class RowNotFound extends Error {
  override readonly name: string = 'RowNotFound';
}
