/** What the log may know of a failed exchange. */
export interface RemoteFacts {
  /** The failure without whatever the provider sent. */
  readonly err: Error;
  /** The protocol library's code. */
  readonly code?: string;
  readonly status?: number;
  /** `error` of the provider's answer (RFC 6749 §5.2). */
  readonly error?: string;
  readonly error_description?: string;
}

/**
 * The facts of a failed exchange. Errors of the protocol library carry the whole answer as their cause, tokens too: of those
 * only message, code and the provider's own error words are kept.
 */
export function remoteFacts(error: Error): RemoteFacts {
  const { code, status, error: word, error_description: words } = error as Error & Record<string, unknown>;
  if (typeof code !== 'string' || !/^(OAUTH|ERR_INVALID_ARG)_/.test(code)) return { err: error };
  const err = new Error(error.message);
  err.name = error.name;
  if (error.stack !== undefined) err.stack = error.stack;
  return {
    err,
    code,
    ...(typeof status === 'number' && { status }),
    ...(typeof word === 'string' && { error: word.slice(0, 200) }),
    ...(typeof words === 'string' && { error_description: words.slice(0, 500) }),
  };
}
