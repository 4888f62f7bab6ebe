import type { CallbackParameters } from './authorize.ts';
import type { Faults } from './faults.ts';
import type { IdTokenOverride } from './signing.ts';

/**
 * What a provider does wrong; for `provider.misbehave()`. Each member is one of its answers, and all members may be combined.
 *
 * The answers of `discovery`, `authorization`, `jwks`, `token` and `userinfo` go wrong as a `Fault` says: their status, their JSON,
 * or the way they are sent.
 */
export interface Misbehaviour extends Faults {
  /** Parameters of the authorization response to set, to give twice (a list) or, with `undefined`, to leave out. */
  callback?: CallbackParameters | undefined;
  /** The ID token: its claims, its header, what signs it. */
  idToken?: IdTokenOverride | undefined;
  /** The same for the userinfo answer of a provider with the option `signedUserinfo`. */
  userinfoToken?: IdTokenOverride | undefined;
  /** Visitors are sent on to another provider, to bring its answer back to the application (mix-up, RFC 9700 §4.4). */
  mixUp?: MixUp | undefined;
}

/** How visitors are sent on to another provider. */
export interface MixUp {
  /** The provider that is to answer. */
  readonly to: AnsweringProvider;
  /** Parameters of the authorization request to change on the way: `client_id`, `redirect_uri`, … Default: none. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A provider that visitors can be sent to: another `FakeProvider`. */
export interface AnsweringProvider {
  readonly endpoints: { readonly authorization: string };
  authorize(url: string | URL): Promise<string>;
}

/** The address at the other provider to which a visitor is sent on. Pure. */
export function sentOn(asked: URL, { to, parameters = {} }: MixUp): URL {
  const url = new URL(to.endpoints.authorization);
  url.search = asked.search;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}
