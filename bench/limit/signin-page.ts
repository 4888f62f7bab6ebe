import { visit } from './parts/site.ts';

/** A page in pieces. The token and the callback URL are inserted between them, in turns. */
export interface PreparedPage {
  readonly pieces: readonly string[];
  /** The value after each piece except the last. */
  readonly holes: readonly ('csrfToken' | 'callbackUrl')[];
  readonly headers: readonly [string, string][];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `GET signin`. */
export function pageAnswerer(
  { pieces, holes, headers }: PreparedPage,
  secrets: readonly string[],
): (request: Request) => Response {
  return (request) => {
    const visited = request.method === 'GET' ? visit(request, secrets) : undefined;
    if (visited?.path !== '/signin') return new Response(null, { status: 400 });
    const values = {
      csrfToken: visited.csrfToken,
      callbackUrl: visited.callbackUrl.replace(/[&<>"']/g, (character) => entities[character] as string),
    };
    let text = pieces[0] as string;
    for (let index = 0; index < holes.length; index++) {
      text += values[holes[index] as 'csrfToken' | 'callbackUrl'];
      text += pieces[index + 1];
    }
    return new Response(text, { headers: [...headers, ...visited.lines] });
  };
}
