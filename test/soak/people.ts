/** How a visitor's sessions are kept. Each mode is an own mount of the application. */
export const modes = ['jwt', 'postgres', 'redis'] as const;
export type Mode = (typeof modes)[number];

/** A way to sign in. */
export const methods = ['idp', 'credentials', 'mail'] as const;
export type Method = (typeof methods)[number];

/** A user with one way to sign in and a unique address. */
export interface Identity {
  readonly method: Method;
  readonly email: string;
}

/** Seconds for which a process trusts its last look at the record of a session in a cookie. */
export const LAG = 1;

/** Our origin, as browsers see it. The switch stands there. */
export const ORIGIN = 'https://soak.test';

/** The provider's client. */
export const client = { client_id: 'soak', client_secret: 'the secret of the client of the soak' };

/** The one password that opens an address. */
export function passwordOf(email: string): string {
  return `password of ${email}`;
}

/** The identities of visitor `number`. */
export function identitiesOf(number: number): Readonly<Record<Method, Identity>> {
  const of = (method: Method): Identity => ({ method, email: `v${number}-${method}@soak.test` });
  return { idp: of('idp'), credentials: of('credentials'), mail: of('mail') };
}
