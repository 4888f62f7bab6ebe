import type { Authentication } from '../proof.ts';
import type { Exchange } from './token.ts';

/** Methods of an ID token that are kept. RFC 8176 has about twenty, and a sign-in uses few of them. */
const MOST_METHODS = 8;

/** The name of a method: RFC 8176 has short ones, providers add their own. */
const METHOD = /^[\w.:/-]{1,32}$/;

const UNKNOWN: Authentication = { amr: [] };

/**
 * Returns what the ID token says about the authentication at the provider (OpenID Connect Core §2). A claim that does
 * not have its form is left out. Without an ID token, `amr` is empty and the rest absent.
 */
export function authenticationOf({ idToken: claims, tokens }: Exchange): Authentication {
  if (!claims) return UNKNOWN;
  return {
    amr: methodsOf(claims['amr']),
    authTime: claims.auth_time,
    issuer: claims.iss,
    subject: claims.sub,
    sessionId: textOf(claims['sid']),
    idToken: tokens.id_token,
  };
}

function methodsOf(amr: unknown): readonly string[] {
  if (!Array.isArray(amr)) return UNKNOWN.amr;
  return amr.slice(0, MOST_METHODS).filter((method) => typeof method === 'string' && METHOD.test(method));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
