import { mayBeShared } from '@latchkey/core/binding';

/** What we have done for an answer. */
export interface Part {
  /** Names of the cookies that we have set. */
  readonly cookieNames: ReadonlySet<string>;
  /** Has the application been given somebody's session? */
  readonly showsSession: boolean;
}

/**
 * The answer to a request for which we have set cookies or have told who is signed in. No cache that visitors share may keep it: where the
 * application has said nothing it is told so, and where the application lets caches keep it the cookies stay away. The next answer
 * brings them.
 */
export function keptPrivate(response: Response, { cookieNames: names, showsSession }: Part): Response {
  const lines = response.headers.getSetCookie();
  const hasOurs = lines.some((line) => names.has(nameOf(line)));
  if (!hasOurs && !showsSession) return response;
  const isShared = mayBeShared(response.headers);
  if (isShared ? !hasOurs : response.headers.has('cache-control')) return response;
  // A copy: the headers of some answers cannot be written to.
  const copy = new Response(response.body, response);
  if (!isShared) {
    copy.headers.set('cache-control', 'private, no-cache');
    return copy;
  }
  copy.headers.delete('set-cookie');
  for (const line of lines) if (!names.has(nameOf(line))) copy.headers.append('set-cookie', line);
  return copy;
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf('=')).trim();
}
