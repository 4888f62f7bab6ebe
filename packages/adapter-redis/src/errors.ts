/**
 * The row exists already: a user with this address or id, this account of a provider, this session, token or authenticator.
 * Nothing was written. Core takes the rejection as "somebody was faster", looks again, and joins the row that it finds.
 */
export class UniqueViolation extends Error {
  override readonly name: string = 'UniqueViolation';

  /** @param what Which member is taken, such as `user.email`; never a value. */
  constructor(what: string, options?: ErrorOptions) {
    super(`a row of the same key exists already (${what})`, options);
  }
}

/** The row that a write refers to does not exist: no such user, or no such authenticator. Nothing was written. */
export class RowNotFound extends Error {
  override readonly name: string = 'RowNotFound';
}
