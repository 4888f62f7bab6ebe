import * as paths from '$app/paths';
import { labelOf } from './labels.ts';
import type { ActionOptions, SignOutActionOptions } from './props.ts';

/** The exports of `$app/paths` that are used: Kit 2 has `base`, Kit 3 has `resolve`. */
type KitPaths = Partial<{ base: string; resolve(path: string): string }>;

/** Returns the address of a page of the application, below Kit's base path. */
export function pageAddress(page: string): string {
  const path = `/${page.replace(/^\/+/, '')}`;
  // A copy, because bundlers refuse a name that one of the two versions does not export.
  const { base, resolve } = { ...paths } as KitPaths;
  return base === undefined ? (resolve?.(path) ?? path) : base + path;
}

/** Returns where the visitor goes afterwards. `resolve()` of Kit 3 returns paths relative to the page with the form. */
export function targetOf(options: ActionOptions | undefined, page: Pick<URL, 'href'>): string | undefined {
  const target = fieldOf(options, 'redirectTo');
  if (!target?.startsWith('.')) return target;
  const { pathname, search, hash } = new URL(target, page.href);
  return pathname + search + hash;
}

/** Returns a member of the options as the text of a form field. */
export function fieldOf(
  options: SignOutActionOptions | undefined,
  name: 'redirect' | 'redirectTo' | 'provider',
): string | undefined {
  const value = options instanceof FormData ? options.get(name) : options?.[name];
  return value === undefined || value === null ? undefined : String(value);
}

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

/** Returns whether the provider with this id asks for an email address. */
export function isMailProvider(provider: string): boolean {
  return MAIL_PROVIDERS.has(provider);
}

/** Returns the text of the button that starts a sign-in, as the built-in page has it. */
export function submitText(provider: string, label: string | undefined): string {
  if (label !== undefined) return `Sign in with ${label}`;
  if (provider === '') return 'Sign in';
  // As `@auth/sveltekit`: the component does not know the fields.
  if (provider === 'credentials') return 'Signin with credentials';
  return isMailProvider(provider) ? 'Continue' : `Sign in with ${labelOf(provider)}`;
}
