import type { Language } from '../../messages/en.ts';
import type { PageTheme } from '../../types/theme.ts';
import { hiddenField } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { SignInEntry } from './layout.ts';

/** Data of the sign-in page and of its steps that depends on the configuration and the language alone. */
export interface SignInSite {
  readonly theme: PageTheme;
  readonly language: Language;
  readonly providers: readonly SignInEntry[];
  /** URL of the sign-in page. */
  readonly signInUrl: string;
  readonly signOutUrl: string;
  /** Page of the application where visitors create an account. Default: no link. */
  readonly signUpUrl?: string | undefined;
  /** Page of the application where visitors replace a forgotten password. Default: no link. */
  readonly forgotPasswordUrl?: string | undefined;
  /** URLs of scripts: of all pages, and of pages with passkeys. Default: the page has no script. */
  readonly scripts?: { readonly page: string; readonly passkey: string } | undefined;
}

/** The page or the step that a form belongs to: the value of its hidden field `latchkeyPage`. */
export type SignInStep = 'signin' | 'password' | 'key' | 'register' | 'passkey';

/** Data of one request. */
export interface SignInVisit {
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that the visitor is redirected to afterward. */
  readonly callbackUrl: string;
  /** The address or name that the visitor has typed, or that a link contains. Default: empty. */
  readonly identifier?: string | undefined;
  /** Why the last sign-in failed. Default: no message. */
  readonly problem?: SignInProblem | undefined;
  /** Address or name of the signed-in user, who adds a way to sign in. Default: the visitor is signed out. */
  readonly visitor?: string | undefined;
  /** Id of the provider that was used last in this browser. Default: not known. */
  readonly lastUsed?: string | undefined;
}

/** A failed sign-in, unchecked. */
export interface SignInProblem {
  /** Value of `?error=`. */
  readonly error: string;
  /** Value of `?reason=`. */
  readonly reason?: string | undefined;
  /** Value of `?code=` of refused credentials. */
  readonly code?: string | undefined;
  /** Id of the provider. */
  readonly provider?: string | undefined;
  /** Name of the provider, if the page does not have its button. Default: the name on the button. */
  readonly providerName?: string | undefined;
  /** Seconds until the next attempt. */
  readonly retryAfter?: number | undefined;
  /** The fields that were posted to this provider. Default: none. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** Returns the scripts of a page. */
export function scriptsOf({ scripts }: SignInSite, hasPasskeys: boolean): readonly string[] {
  if (!scripts) return [];
  return hasPasskeys ? [scripts.page, scripts.passkey] : [scripts.page];
}

/** Returns the hidden fields of each form of a step. */
export function hiddenFields({ csrfToken, callbackUrl }: SignInVisit, step: SignInStep): Html {
  return html`${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('latchkeyPage', step)}`;
}
