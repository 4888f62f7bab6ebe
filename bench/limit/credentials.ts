import { randomUUID } from 'node:crypto';
import { basePath, cookieNames } from '../visitor.ts';
import { sessionAttributes } from './parts/cookies.ts';
import { formOf, isSameOrigin } from './parts/form.ts';
import { seal } from './parts/jwe.ts';
import { equal, renewedLines, visit } from './parts/site.ts';

/** The user that `authorize` returns. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly image: string;
}

/** The application's function; the request has the fields as JSON. */
export type Authorize = (fields: Record<string, string>, request: Request) => Promise<Person | null>;

const MAX_AGE = 30 * 24 * 60 * 60;

/** `POST callback/credentials`. */
export function credentialsAnswerer(
  authorize: Authorize,
  secrets: readonly string[],
): (request: Request) => Promise<Response> {
  return async (request) => {
    const form = request.method === 'POST' ? await formOf(request) : undefined;
    const fields = form && Object.fromEntries(form);
    const visited = fields && visit(request, secrets, fields['callbackUrl']);
    if (fields === undefined || visited?.path !== '/callback/credentials') return new Response(null, { status: 400 });
    const { origin, csrfToken, callbackUrl, lines, knowsToken } = visited;
    if (!knowsToken || !equal(fields['csrfToken'] ?? '', csrfToken) || !isSameOrigin(request, origin)) {
      return new Response(null, { status: 302, headers: { location: `${origin}${basePath}/signin?csrf=true` } });
    }
    const person = await authorize(fields, withJson(request, fields));
    if (!person)
      return new Response(null, {
        status: 302,
        headers: { location: `${origin}${basePath}/signin?error=CredentialsSignin` },
      });
    const now = Date.now();
    const claims = { name: person.name, email: person.email, picture: person.image, sub: person.id, sid: randomUUID() };
    const token = seal(claims, secrets[0] as string, cookieNames.session, MAX_AGE, Math.floor(now / 1000));
    lines.push(['set-cookie', `${cookieNames.session}=${token}${sessionAttributes(now + MAX_AGE * 1000)}`]);
    return new Response(null, {
      status: 302,
      headers: [
        ['location', callbackUrl],
        ['cache-control', 'private, no-store'],
        ['x-content-type-options', 'nosniff'],
        ...lines,
        ...renewedLines(visited, secrets),
      ],
    });
  };
}

function withJson(request: Request, fields: Record<string, string>): Request {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  return new Request(request.url, { method: 'POST', headers, body: JSON.stringify(fields) });
}
