import { pathToFileURL } from 'node:url';
import { loadPeer } from '../../test/peers/load.ts';

/** Latchkey from its built files, as applications install it, or Auth.js. */
interface Family {
  auth(request: Request, config: object): Promise<Response>;
  encode(params: object): Promise<string>;
  decode(params: object): Promise<Record<string, unknown> | null>;
  readonly customFetch: symbol;
}

/** The libraries with the API of Auth.js v5. */
export type FamilyName = 'latchkey' | 'authjs';

/** Loads one library. The process does not load the other. */
export async function family(name: FamilyName): Promise<Family> {
  const { BENCH_BEFORE: before } = process.env;
  const load = <T>(path: string): Promise<T> => {
    if (name === 'authjs') return loadPeer('authjs', `@auth/core${path}`);
    return import(before ? pathToFileURL(`${before}${path || '/index'}.js`).href : `@latchkey/core${path}`);
  };
  const { Auth, customFetch } = await load<{ Auth: Family['auth']; customFetch: symbol }>('');
  const { encode, decode } = await load<Pick<Family, 'encode' | 'decode'>>('/jwt');
  return { auth: Auth, encode, decode, customFetch };
}

/** A logger that throws on errors. Debug output is off, as in production. */
export const logger = {
  warn: () => undefined,
  error: (error: Error) => {
    throw error;
  },
};
