import type { Theme } from '../types/theme.ts';

/** The parameters of `sendVerificationRequest` that decide about the sender. */
export interface SenderOrder {
  readonly url: string;
  readonly theme: Theme;
  readonly provider: { readonly from?: string | undefined };
}

/**
 * Returns the sender of a mail: `sign-in@example.com` or `"Acme" <sign-in@example.com>`. The default address is
 * `no-reply@` and the host of the site, and the default name is `theme.name`.
 */
export function senderOf({ url, theme, provider }: SenderOrder): string {
  const sender = provider.from ?? `no-reply@${new URL(url).hostname}`;
  // These characters end a quoted name or a header (RFC 5322 §3.2.4).
  const name = theme.name?.replace(/["\\<>\s\p{Cc}]+/gu, ' ').trim();
  return name && !sender.includes('<') ? `"${name}" <${sender}>` : sender;
}
