import { answerOf, type RemoteAnswer, responseOf } from '../../wire/bounded-fetch.ts';

const made = new WeakMap<typeof fetch, typeof fetch>();

/**
 * A provider's `fetch` for the protocol library alone: its answers are {@link LibraryAnswer}s, and nobody else may see them.
 * The same function comes back for the same `fetch`.
 */
export function libraryFetch(fetch: typeof globalThis.fetch): typeof fetch {
  const known = made.get(fetch);
  if (known) return known;
  const light = async (...request: Parameters<typeof fetch>): Promise<Response> =>
    new LibraryAnswer(await answerOf(fetch, ...request)) as unknown as Response;
  made.set(fetch, light);
  return light;
}

/**
 * As much of a `Response` as the library looks at, around bytes that are in memory. To wrap them in a stream, and read that once
 * more, takes longer than all checks of the answer. A clone is a `Response`.
 */
export class LibraryAnswer
  implements Pick<Response, 'status' | 'headers' | 'body' | 'bodyUsed' | 'text' | 'json' | 'clone'>
{
  readonly status: number;
  readonly headers: Headers;
  readonly body: null = null;
  bodyUsed = false;
  readonly #answer: RemoteAnswer;

  constructor(answer: RemoteAnswer) {
    this.status = answer.status;
    this.headers = answer.headers;
    this.#answer = answer;
  }

  /** The library knows responses of other realms by it. */
  get [Symbol.toStringTag](): string {
    return 'Response';
  }

  async text(): Promise<string> {
    this.#mustBeUnread();
    this.bodyUsed = true;
    return decoder.decode(this.#answer.bytes);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  clone(): Response {
    this.#mustBeUnread();
    return responseOf(this.#answer);
  }

  #mustBeUnread(): void {
    if (this.bodyUsed) throw new TypeError('the body was read before');
  }
}

const decoder = new TextDecoder();
