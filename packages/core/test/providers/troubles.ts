import { withOptions } from '../../src/config/provider-options.ts';
import type { ExpectedUser, Fixture, Json, Step } from './fixture.ts';
import type { Factory } from './journey.ts';
import { changed, placesOf } from './pointer.ts';
import type { TokenChange, Trouble } from './vendor.ts';

/** A way in which a vendor fails. */
export interface NamedTrouble {
  readonly name: string;
  readonly trouble: Trouble;
  /** `false`: the sign-in does not even start. */
  readonly begins: boolean;
  /** The sign-in goes on, and the user differs by this. Absent: it is refused. */
  readonly otherwise: Partial<ExpectedUser> | undefined;
}

const page = { type: 'text/html', answer: '<!doctype html><h1>Sorry, something went wrong</h1>' };
const down = { ...page, status: 500 };

/** The parts of an endpoint that the provider implements. */
interface OwnCode {
  readonly request?: unknown;
  readonly conform?: unknown;
}

interface Endpoints {
  readonly authorization?: { readonly url?: string };
  readonly token?: OwnCode;
  readonly conformProfile?: unknown;
  readonly userinfo?: OwnCode;
}

/**
 * Returns the ways in which the vendor of a fixture may fail. If the engine sends a request, only the vendor's own
 * refusal is tested here. `attacks/provider` and `flows/oauth-profile` test the other failures, which are the same for
 * all providers.
 */
export function troublesOf(factory: Factory, { options, discovery, token, userinfo = [] }: Fixture): NamedTrouble[] {
  const endpoints = withOptions(factory(options) as never) as Endpoints;
  const conform = endpoints.userinfo?.conform ?? endpoints.conformProfile;
  const begins = endpoints.authorization?.url !== undefined;
  const code = { status: 400, answer: { error: 'invalid_grant', error_description: 'The code has expired.' } };
  const access = { status: 401, answer: { error: 'unauthorized' } };
  return [
    ...(discovery
      ? [{ name: 'its metadata cannot be had', trouble: trouble('discovery', down), begins, otherwise: undefined }]
      : []),
    ...inParticular(endpoints.token, failuresOf(token, 'token', code)),
    ...userinfo.flatMap((step, at) => inParticular({ ...endpoints.userinfo, conform }, failuresOf(step, at, access))),
  ];
}

function inParticular({ request, conform }: OwnCode = {}, failures: readonly NamedTrouble[]): readonly NamedTrouble[] {
  return request || conform ? failures : failures.slice(0, 1);
}

function failuresOf(
  { url, error, otherwise, retry }: Step,
  at: Trouble['at'],
  refusal: Trouble['answer'],
): NamedTrouble[] {
  const borne = retry ? undefined : otherwise;
  return [
    { name: `${url} refuses`, trouble: trouble(at, { ...refusal, ...error }), begins: true, otherwise },
    { name: `${url} is down`, trouble: trouble(at, down), begins: true, otherwise: borne },
    { name: `${url} answers a page`, trouble: trouble(at, page), begins: true, otherwise: borne },
    { name: `${url} cannot be reached`, trouble: trouble(at, undefined), begins: true, otherwise: borne },
  ];
}

function trouble(at: Trouble['at'], answer: Trouble['answer']): Trouble {
  return { at, answer };
}

/** Invalid ID tokens. */
export function forgeries({ authorization, idToken }: Fixture): [string, TokenChange][] {
  if (!idToken) return [];
  const all: Record<string, TokenChange> = {
    'an ID token with a foreign signature': { forged: true },
    'an ID token for another application': { claims: { aud: 'another-app' } },
    'an ID token of another issuer': { claims: { iss: 'https://evil.example' } },
    'an ID token that has expired': { claims: { exp: 1_600_000_000 } },
    ...(authorization.nonce ? { "an ID token of another sign-in's": { claims: { nonce: 'another' } } } : {}),
  };
  return Object.entries(all);
}

/** The vendor tells everything but this text. */
export function without(fixture: Fixture, text: string, kind: 'missing' | 'null'): Fixture {
  const places = placesOf(fixture, text);
  if (places.length === 0) throw new Error(`none of the vendor's answers says "${text}"`);
  const nulls = Object.fromEntries(places.map((place): [string, Json] => [place, null]));
  // From the end: places in a list move when one before them goes.
  return kind === 'null' ? changed(fixture, nulls) : changed(fixture, {}, places.toReversed());
}
