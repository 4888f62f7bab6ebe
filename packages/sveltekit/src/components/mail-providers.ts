const MAIL_PROVIDERS: ReadonlySet<string> = new Set([
  'email',
  'forwardemail',
  'loops',
  'mailgun',
  'nodemailer',
  'postmark',
  'resend',
  'sendgrid',
]);

/** Does a provider with that id ask for an address? */
export function isMailProvider(provider: string): boolean {
  return MAIL_PROVIDERS.has(provider);
}
