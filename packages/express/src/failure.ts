import { AuthError } from '@latchkey/core/errors';

/** What Express's error handlers look at, by the convention of `http-errors`. */
export interface HttpError {
  status: number;
  statusCode: number;
  /** May the message be told to the visitor? */
  expose: boolean;
}

/**
 * The error as Express's error handlers expect it: an {@link AuthError} gets the status 400 where the request was at fault, else 500.
 * None is to be shown to visitors: their messages are the owner's. All others stay as they are.
 */
export function withStatus(error: unknown): unknown {
  if (!(error instanceof AuthError)) return error;
  const status = error.cause?.['status'] === 400 ? 400 : 500;
  return Object.assign(error, { status, statusCode: status, expose: false } satisfies HttpError);
}

/** Nobody is signed in where somebody has to be; goes to the application's error handlers. */
export class SessionRequired extends Error implements HttpError {
  readonly status: number = 401;
  readonly statusCode: number = 401;
  readonly expose: boolean = true;

  constructor() {
    super('Sign in first.');
    this.name = 'SessionRequired';
  }
}
