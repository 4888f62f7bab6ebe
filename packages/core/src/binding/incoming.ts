import type { Fields, Incoming } from '../context.ts';

/**
 * Returns a request to an action that is made on the server: GET, or POST with the fields of a form.
 *
 * @param url Absolute URL of the action.
 * @param headers By lower-case name; `undefined` stands for a missing header. A record saves `Headers` in each read.
 */
export function actionRequest(
  url: string,
  headers: Headers | Readonly<Record<string, string | undefined>>,
  fields?: Fields,
): Incoming {
  const isRecord = !(headers instanceof Headers);
  return {
    method: fields ? 'POST' : 'GET',
    url,
    header: (name) => (isRecord ? headers[name] : (headers.get(name) ?? undefined)),
    headers: () => new Headers(isRecord ? definedIn(headers) : headers),
    body: async () => fields,
  };
}

function definedIn(headers: Readonly<Record<string, string | undefined>>): [name: string, value: string][] {
  return Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
}
