import { pathToFileURL } from 'node:url';
import { loadPeer } from '../../test/peers/load.ts';

/** A library of the family: ours from its built files, as users get it, or Auth.js. */
export interface Family {
  auth(request: Request, config: object): Promise<Response>;
  encode(params: object): Promise<string>;
  decode(params: object): Promise<Record<string, unknown> | null>;
  readonly customFetch: symbol;
}

/** Members of the family. */
export type FamilyName = 'latchkey' | 'authjs';

/** Loads one of them; nothing of the other comes into the process. */
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

/** Errors must not occur. What is for debugging is off, as in production. */
export const logger = {
  warn: () => undefined,
  error: (error: Error) => {
    throw error;
  },
};
