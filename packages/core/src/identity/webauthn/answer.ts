import type { Fields } from '../../context.ts';
import { readObject } from '../../plain-object.ts';
import { fromBrowser, toStored } from './credential-id.ts';
import { type Ceremony, refusal, type WebAuthnProvider } from './provider.ts';

/** A browser's answer to a ceremony. Only its shape is checked; the library verifies it. */
export interface Answer {
  /** The credential as JSON (WebAuthn §5.1.8). */
  readonly response: object;
  /** The id of the credential in the form of the store. */
  readonly credentialID: string;
  /** Transports of the authenticator; at registrations. */
  readonly transports: unknown;
  /** Whether the page was in a frame of another site. */
  readonly framed: boolean;
}

/**
 * Returns the ceremony that a POST names in its field `action`.
 *
 * @throws {WebAuthnVerificationError} if it names none.
 */
export function postedCeremony({ action }: Fields, provider: WebAuthnProvider): Ceremony {
  if (action === 'authenticate' || action === 'register') return action;
  throw refusal(provider, 'the field `action` must be "authenticate" or "register"');
}

/**
 * Reads the browser's answer from the field `data`, which is JSON.
 *
 * @throws {WebAuthnVerificationError} if it does not have the shape of an answer.
 */
export function readAnswer({ data }: Fields, provider: WebAuthnProvider): Answer {
  const response = typeof data === 'string' ? readObject(data) : undefined;
  const { id, response: inner } = response ?? {};
  const credentialID = toStored(id);
  const parts = isObject(inner) ? inner : undefined;
  const client = clientDataOf(parts?.['clientDataJSON']);
  if (!response || credentialID === undefined || !parts || !client)
    throw refusal(provider, 'the field `data` must be the answer of an authenticator');
  const framed = Boolean(client['crossOrigin']) || client['topOrigin'] !== undefined;
  return { response, credentialID, transports: parts['transports'], framed };
}

/** The browser's description of the page (WebAuthn §5.8.1). */
function clientDataOf(text: unknown): Record<string, unknown> | undefined {
  const bytes = fromBrowser(text);
  return bytes && readObject(new TextDecoder().decode(bytes));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
