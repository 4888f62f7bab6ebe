import { describe } from '../../answers/describe.ts';
import type { Work } from '../../race/work.ts';

/** Answers requests: a library with its configuration, or the limit. */
export type Answering = (request: Request) => Response | Promise<Response>;

/** A request, which is built again for each run. */
export interface Asked {
  readonly url: string;
  readonly cookies?: string | undefined;
  /** Fields of a form. If they are present, the request is a POST. */
  readonly form?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the work of answering a request.
 *
 * @param contains Text that the description of a correct answer contains.
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
