import { basePath } from '../visitor.ts';

/** A provider of the configuration. */
export interface Known {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** `GET providers`. The answer is computed once for each origin. */
export function providersAnswerer(providers: readonly Known[]): (request: Request) => Response {
  const texts = new Map<string, string>();
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
  return (request) => {
    const { url } = request;
    const start = url.indexOf('/', 8);
    const origin = url.slice(0, start);
    if (request.method !== 'GET' || url.slice(start) !== `${basePath}/providers`)
      return new Response(null, { status: 400 });
    return new Response(texts.get(origin) ?? keep(origin), { headers });
  };

  function keep(origin: string): string {
    const text = textOf(providers, origin + basePath);
    if (texts.size < 16) texts.set(origin, text);
    return text;
  }
}

function textOf(providers: readonly Known[], base: string): string {
  const list = providers.map(({ id, name, type }) => {
    return [id, { id, name, type, signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }] as const;
  });
  return JSON.stringify(Object.fromEntries(list));
}
