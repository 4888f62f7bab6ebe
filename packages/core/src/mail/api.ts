import { AuthError } from '../errors.ts';
import type { EmailConfig, MailDelivery } from '../types/provider.ts';
import { boundedFetch } from '../wire/bounded-fetch.ts';
import { senderOf } from './sender.ts';

/** A sender or recipient. */
export interface MailAddress {
  readonly address: string;
  readonly name?: string | undefined;
}

/** A mail for conversion to a vendor's format. */
export interface OutgoingMail {
  /** The key of the vendor's API, valid as a header value. */
  readonly key: string;
  readonly from: MailAddress;
  /** The sender, see {@link senderOf}. */
  readonly sender: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A request to a vendor's API. */
export interface MailRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A `FormData`, or an object that is sent as JSON. */
  readonly body: object;
  /** Returns `true` if the JSON of a successful response reports an error. Receives `{}` for an empty response. */
  refused?(answer: Readonly<Record<string, unknown>>): boolean;
}

/**
 * Returns a mail in the form for vendors.
 *
 * @param vendor Name for error messages.
 * @throws {AuthError} if the key is missing or invalid, or the sender is not an address.
 * @throws {Error} if the recipient could be parsed as several addresses.
 */
export function composeMail(vendor: string, mail: MailDelivery): OutgoingMail {
  const { subject, text, html } = mail;
  const sender = senderOf(mail);
  return { ...readAddressee(vendor, mail), from: readSender(vendor, sender), sender, subject, text, html };
}

/** Returns the key and the recipient, for a vendor that sets the text and the sender itself. */
export function readAddressee(
  vendor: string,
  { to, provider }: Pick<MailDelivery, 'to' | 'provider'>,
): Pick<OutgoingMail, 'key' | 'to'> {
  // APIs accept a list of recipients as a string. A custom `normalizeIdentifier` may return such a string.
  if (/[\s,;:<>"()\\]/.test(to))
    throw new Error(`the mail was not sent to ${vendor}: the recipient must be one address`);
  return { key: readKey(vendor, provider), to };
}

/** The parts of a mail that must not be logged. */
type MailSecrets = Pick<MailDelivery, 'provider' | 'secrets'>;

/**
 * Sends a mail to a vendor's API. Stops after 10 seconds.
 *
 * @throws {Error} `<prefix>: <status> <response>`, on one line and without the key and the secrets of the mail, if the
 * vendor refused the mail.
 * @throws {Error} `<prefix>: no answer (<reason>)` if the vendor did not respond.
 */
export async function postMail(prefix: string, mail: MailSecrets, request: MailRequest): Promise<void> {
  const { url, headers, body, refused } = request;
  const isForm = body instanceof FormData;
  const answer = await vendorFetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      // Resend refuses requests without this header, and some runtimes do not send it.
      'user-agent': 'latchkey',
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new Error(`${prefix}: no answer (${reason(error)})`, { cause: error });
  });
  const text = await answer.text();
  const read = jsonObject(text);
  if (answer.ok && read && !refused?.(read)) return;
  throw new Error(`${prefix}: ${answer.status} ${excerpt(text, mail)}`.trim());
}

/** Maximum bytes and milliseconds of a vendor's response. */
const LIMITS = { bytes: 65_536, time: 10_000 };
/** Maximum number of characters of a response that are logged. */
const EXCERPT = 500;

/** The global `fetch` at the time of the call, with limits. */
const vendorFetch: typeof fetch = boundedFetch((input, init) => fetch(input, init), LIMITS);

function readKey(vendor: string, { id, apiKey }: EmailConfig): string {
  // A key from a file may end with a line break. `fetch` would reject the header and report its value.
  const key = apiKey?.trim() ?? '';
  const name = `AUTH_${id.toUpperCase().replaceAll('-', '_')}_KEY`;
  if (key === '') throw new AuthError(`${vendor} requires a key. Set \`apiKey\`, or ${name} in the environment`);
  if (/[^\x21-\x7e]/.test(key)) {
    throw new AuthError(
      `the key for ${vendor} must consist of printable ASCII characters without spaces. Check \`apiKey\` or ${name}`,
    );
  }
  return key;
}

function readSender(vendor: string, from: string): MailAddress {
  const [, name, bracketed] = /^\s*(?:"?([^"<>]*?)"?\s*)?<([^<>]*)>\s*$/.exec(from) ?? [];
  const address = (bracketed ?? from).trim();
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"/?#]+$/.test(address)) {
    throw new AuthError(
      `the sender for ${vendor} must be an address. Set \`from\` to "sign-in@example.com" or "Name <…>"`,
    );
  }
  return { address, name: name?.trim() || undefined };
}

/**
 * Returns the JSON object, `{}` for an empty response, or `undefined` for another text, such as the page of a proxy.
 */
function jsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // SyntaxError
  }
}

/** Returns the beginning of a response on one line. Removes the key and the secrets: vendors quote the request. */
function excerpt(text: string, { secrets, provider: { apiKey } }: MailSecrets): string {
  const hidden = [apiKey?.trim() ?? '', ...secrets].filter((secret) => secret !== '');
  const clean = hidden.flatMap(formsOf).reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  return clean.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, EXCERPT);
}

/** Returns a secret as it may stand in a link: as it is, and in both forms of percent-encoding. */
function formsOf(secret: string): readonly string[] {
  return [secret, new URLSearchParams({ secret }).toString().slice('secret='.length), encodeURIComponent(secret)];
}

function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message;
}
