import { emailOf, tokenOf } from './people.ts';

/** Reads the session of a user by number, and checks that it is the session of that user. */
export type Look = (person: number) => Promise<void>;

/** Latchkey or Auth.js. */
export type AuthFunction = (request: Request, config: never) => Promise<Response>;

/** `GET session` through a library with an adapter. */
export function lookThrough(auth: AuthFunction, adapter: object): Look {
  const config = {
    adapter,
    providers: [],
    session: { strategy: 'database' },
    secret: 'a-secret-for-measurements-of-more-than-32-characters',
    basePath: '/auth',
    trustHost: true,
  } as never;
  return async (person) => {
    const headers = { cookie: `authjs.session-token=${tokenOf(person)}` };
    const answer = await auth(new Request('http://localhost:3000/auth/session', { headers }), config);
    check(await answer.json(), person);
  };
}

/** The method of the adapter that reads a session. */
export interface SessionReader {
  getSessionAndUser(token: string): unknown;
}

/** Reads by the adapter, without `Auth()`. */
export function lookPast(adapter: SessionReader): Look {
  return async (person) => check(await adapter.getSessionAndUser(tokenOf(person)), person);
}

function check(found: unknown, person: number): void {
  const { user } = (found ?? {}) as { user?: { email?: string } };
  if (user?.email !== emailOf(person)) throw new Error(`the session of person ${person} was not found`);
}
