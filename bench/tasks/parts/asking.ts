import { describe } from '../../answers/describe.ts';
import type { Work } from '../../race/work.ts';

/** Answers requests: a library with its configuration, or the limit. */
export type Answering = (request: Request) => Response | Promise<Response>;

/** A request that is made anew for every run. */
export interface Asked {
  readonly url: string;
  readonly cookies?: string | undefined;
  /** Fields of a form; with them the request is a POST. */
  readonly form?: Readonly<Record<string, string>> | undefined;
}

/**
 * The work of answering a request.
 *
 * @param contains What the described answer must contain to be right.
 */
export function asking(answering: Answering, asked: Asked, contains: string): Work {
  const init: RequestInit = { headers: {} };
  const headers = init.headers as Record<string, string>;
  if (asked.cookies !== undefined) headers['cookie'] = asked.cookies;
  if (asked.form) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    init.method = 'POST';
    init.body = new URLSearchParams(asked.form).toString();
  }
  const run = (): Response | Promise<Response> => answering(new Request(asked.url, init));
  return {
    run,
    async answer() {
      const described = await describe(await run());
      if (!JSON.stringify(described).includes(contains))
        throw new Error(`not "${contains}": ${JSON.stringify(described)}`);
      return described;
    },
  };
}
