import { loadPeer } from './load.ts';

/** The members of Auth.js that the tests use. The package is loaded at run time, without its types. */
interface Core {
  Auth(request: Request, config: object): Promise<Response>;
  customFetch: symbol;
  skipCSRFCheck: symbol;
  raw: symbol;
}

interface Jwt {
  encode(params: object): Promise<string>;
  decode(params: object): Promise<Record<string, unknown> | null>;
  getToken(params: object): Promise<unknown>;
}

type ErrorClass = (new (message?: unknown, options?: unknown) => Error) & { type?: string; kind?: string };

/** Auth.js, from the folder of the peer. */
export const authjs = {
  core: await loadPeer<Core>('authjs', '@auth/core'),
  jwt: await loadPeer<Jwt>('authjs', '@auth/core/jwt'),
  errors: await loadPeer<Record<string, ErrorClass>>('authjs', '@auth/core/errors'),
};

/** The factory of one of Auth.js's providers. */
export async function authjsProvider(id: string): Promise<(options: object) => Record<string, unknown>> {
  const module = await loadPeer<{ default: (options: object) => Record<string, unknown> }>(
    'authjs',
    `@auth/core/providers/${id}`,
  );
  return module.default;
}
