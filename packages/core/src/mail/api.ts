import { AuthError } from '../errors.ts';
import type { Theme } from '../types.ts';
import { boundedFetch } from '../wire/bounded-fetch.ts';
import { signInMail } from './sign-in.ts';

/** What is needed of a provider and its link to mail it; what `sendVerificationRequest` gets has it all. */
export interface MailOrder {
  readonly identifier: string;
  /** The link. */
  readonly url: string;
  readonly token: string;
  readonly theme: Theme;
  readonly provider: {
    readonly id: string;
    readonly apiKey?: string | undefined;
    readonly from?: string | undefined;
    readonly maxAge?: number | undefined;
  };
}

/** A sender or recipient. */
export interface MailAddress {
  readonly address: string;
  readonly name?: string | undefined;
}

/** A mail with a sign-in link, ready for a vendor's words. */
export interface OutgoingMail {
  /** The vendor's key; fit for a header. */
  readonly key: string;
  readonly from: MailAddress;
  /** As it was configured: `a@b.example` or `Name <a@b.example>`. */
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
  /** Sent as JSON, or as the form that it is. */
  readonly body: object;
  /** Whether an answer with a good status says no all the same. Gets its JSON; `{}` when it was empty. */
  refused?(answer: Readonly<Record<string, unknown>>): boolean;
}

/**
 * The mail for an order. The sender is `no-reply@` the site's own host unless configured.
 *
 * @param vendor Name for the messages.
 * @throws {AuthError} when the key is missing or unusable, or the sender is no address.
 * @throws {Error} when the recipient could be read as more than one.
 */
export function composeMail(vendor: string, order: MailOrder): OutgoingMail {
  const { url, theme, provider } = order;
  const sender = provider.from ?? `no-reply@${new URL(url).hostname}`;
  return {
    ...readAddressee(vendor, order),
    from: readSender(vendor, sender),
    sender,
    ...signInMail({ url, theme, maxAge: provider.maxAge }),
  };
}

/** {@link composeMail} for a vendor that has the words and the sender itself. */
export function readAddressee(vendor: string, { identifier, provider }: MailOrder): Pick<OutgoingMail, 'key' | 'to'> {
  // APIs take a list as text; what an application's own `normalizeIdentifier` lets through must not become one.
  if (/[\s,;:<>"()\\]/.test(identifier)) throw new Error(`${vendor} was not asked: the recipient is not one address`);
  return { key: readKey(vendor, provider), to: identifier };
}

/**
 * Hands a mail to a vendor, in 10 seconds at most.
 *
 * @throws {Error} `<prefix>: <status> <what it answered>`, on one line and without key and token, when it did not take it; `<prefix>: no
 *   answer (<why>)` when there was none.
 */
export async function postMail(prefix: string, order: MailOrder, request: MailRequest): Promise<void> {
  const { url, headers, body, refused } = request;
  const isForm = body instanceof FormData;
  const answer = await vendorFetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      // Resend refuses requests without one, and not every runtime sends its own.
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
  throw new Error(`${prefix}: ${answer.status} ${excerpt(text, order)}`.trim());
}

/** Bytes and milliseconds of a vendor's answer. */
const LIMITS = { bytes: 65_536, time: 10_000 };
/** Characters of an answer that are logged. */
const EXCERPT = 500;

/** The global `fetch` as it is when called, in bounds of its own. */
const vendorFetch: typeof fetch = boundedFetch((input, init) => fetch(input, init), LIMITS);

function readKey(vendor: string, { id, apiKey }: MailOrder['provider']): string {
  // A line break at the end comes along from files; it would make the whole header unusable, and known to the log.
  const key = apiKey?.trim() ?? '';
  const name = `AUTH_${id.toUpperCase().replaceAll('-', '_')}_KEY`;
  if (key === '') throw new AuthError(`${vendor} needs a key. Set \`apiKey\`, or ${name} in the environment`);
  if (/[^\x21-\x7e]/.test(key)) {
    throw new AuthError(`the key for ${vendor} has blanks or other signs that no key has. Check \`apiKey\` or ${name}`);
  }
  return key;
}

function readSender(vendor: string, from: string): MailAddress {
  const [, name, bracketed] = /^\s*(?:"?([^"<>]*?)"?\s*)?<([^<>]*)>\s*$/.exec(from) ?? [];
  const address = (bracketed ?? from).trim();
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"/?#]+$/.test(address)) {
    throw new AuthError(`the sender for ${vendor} is no address. Set \`from\` to "sign-in@example.com" or "Name <…>"`);
  }
  return { address, name: name?.trim() || undefined };
}

/** An empty answer has nothing to say; a page is of somebody else than the vendor. */
function jsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // SyntaxError
  }
}

/** The beginning of an answer, on one line; vendors quote what they were sent. */
function excerpt(text: string, { token, provider: { apiKey } }: MailOrder): string {
  // As the link has it, too.
  const escaped = new URLSearchParams({ token }).toString().slice('token='.length);
  const clean = [apiKey?.trim(), token, escaped, encodeURIComponent(token)].reduce<string>((rest, secret) => {
    return secret ? rest.replaceAll(secret, '[redacted]') : rest;
  }, text);
  return clean.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, EXCERPT);
}

function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message;
}
