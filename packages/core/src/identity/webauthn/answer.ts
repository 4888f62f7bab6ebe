import type { Fields } from '../../context.ts';
import { fromBase64Url } from '../../crypto/decoding.ts';
import { toStored } from './credential-id.ts';
import type { Ceremony, WebAuthnProvider } from './provider.ts';
import { refusal } from './refusal.ts';

/** What a browser sent after a ceremony. Its shape is known, and nothing else: the library judges it. */
export interface Answer {
  /** As the browser made it (WebAuthn §5.1.8). */
  readonly response: object;
  /** The id of the credential, as the store has it. */
  readonly credentialID: string;
  /** How the authenticator can be reached; at registrations. */
  readonly transports: unknown;
  /** The page that asked stood in a frame of another site. */
  readonly framed: boolean;
}

/**
 * Which ceremony a post claims to end.
 *
 * @throws {WebAuthnVerificationError} when it does not say.
 */
export function postedCeremony({ action }: Fields, provider: WebAuthnProvider): Ceremony {
  if (action === 'authenticate' || action === 'register') return action;
  throw refusal(provider, 'the post does not say whether it signs in or registers');
}

/**
 * Reads the field `data`: the browser's answer as JSON.
 *
 * @throws {WebAuthnVerificationError} when it is none.
 */
export function readAnswer({ data }: Fields, provider: WebAuthnProvider): Answer {
  const response = typeof data === 'string' ? parsed(data) : undefined;
  const { id, response: inner } = response ?? {};
  const credentialID = toStored(id);
  const parts = isObject(inner) ? inner : undefined;
  const client = clientData(parts?.['clientDataJSON']);
  if (!response || credentialID === undefined || !parts || !client)
    throw refusal(provider, 'what the browser sent is no answer of an authenticator');
  const framed = Boolean(client['crossOrigin']) || client['topOrigin'] !== undefined;
  return { response, credentialID, transports: parts['transports'], framed };
}

/** What the browser says about the page (WebAuthn §5.8.1). */
function clientData(text: unknown): Record<string, unknown> | undefined {
  const bytes = typeof text === 'string' ? fromBase64Url(text) : undefined;
  return bytes && parsed(new TextDecoder().decode(bytes));
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not JSON
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
