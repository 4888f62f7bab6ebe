/** The members of a mail that decide about the sender. */
export interface SenderOrder {
  readonly url: string;
  /** Name of the application. Default: the sender has no name. */
  readonly siteName?: string | undefined;
  readonly provider: { readonly from?: string | undefined };
}

/**
 * Returns the sender of a mail: `sign-in@example.com` or `"Acme" <sign-in@example.com>`. The default address is
 * `no-reply@` and the host of the site, and the default name is `theme.name`.
 */
export function senderOf({ url, siteName, provider }: SenderOrder): string {
  const sender = provider.from ?? `no-reply@${new URL(url).hostname}`;
  // These characters end a quoted name or a header (RFC 5322 §3.2.4).
  const name = siteName?.replace(/["\\<>\s\p{Cc}]+/gu, ' ').trim();
  return name && !sender.includes('<') ? `"${name}" <${sender}>` : sender;
}
