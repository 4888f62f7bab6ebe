/** A request that got no answer, or none that can be understood: no network, a time-out, a failing server. */
export class ClientFetchError extends Error {
  override name = 'ClientFetchError';
  /** Status of the answer, if there was one. */
  readonly status: number | undefined;

  constructor(address: string, status?: number, cause?: unknown) {
    super(`${address}: ${status ?? 'no answer'}`, { cause });
    this.status = status;
  }
}

/** An answer with a JSON body. */
export interface Answer {
  readonly response: Response;
  readonly body: unknown;
}

/**
 * Asks one of our actions.
 *
 * @throws {ClientFetchError} when there is no answer, or its body is no JSON.
 */
export async function ask(address: string, init?: RequestInit): Promise<Answer> {
  let status: number | undefined;
  try {
    const response = await fetch(address, init);
    status = response.status;
    return { response, body: await response.json() };
  } catch (cause) {
    throw new ClientFetchError(address, status, cause);
  }
}

/**
 * The JSON of a successful answer.
 *
 * @throws {ClientFetchError} when the answer is no success, too.
 */
export async function askFor(address: string, init?: RequestInit): Promise<unknown> {
  const { response, body } = await ask(address, init);
  if (!response.ok) throw new ClientFetchError(address, response.status);
  return body;
}
