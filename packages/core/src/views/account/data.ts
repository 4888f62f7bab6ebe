import type { Language } from '../../messages/en.ts';
import type { AccountWay } from '../../types/account.ts';
import type { PageTheme } from '../../types/theme.ts';

/** Data of the page on which users manage their account. */
export interface AccountPageData {
  readonly theme: PageTheme;
  readonly language: Language;
  /** Origin of the site, for the link back. */
  readonly origin: string;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL of the page. Its forms are posted to paths below it. */
  readonly accountUrl: string;
  /** URL to which the form of a part is posted. */
  readonly partUrl: (part: string) => string;
  readonly user: { readonly name?: string | null | undefined; readonly email?: string | null | undefined };
  /** `undefined` if the adapter cannot list them. */
  readonly ways: readonly ListedWay[] | undefined;
  /** The adapter can remove ways to sign in. */
  readonly canUnlink: boolean;
  /** Providers of type `oauth` and `oidc` at which the user has no account yet. */
  readonly addable: readonly { readonly id: string; readonly name: string }[];
  /** URL on which a passkey is added; `undefined` if no provider has passkeys. */
  readonly passkeyUrl: string | undefined;
  /** Otherwise the user has as many accounts, or passkeys, as one user can have. */
  readonly canAddAccount: boolean;
  readonly canAddPasskey: boolean;
  /** The adapter can rename passkeys. */
  readonly canRename: boolean;
  /** URL of the list of sessions; `undefined` if they have no records. */
  readonly sessionsUrl: string | undefined;
  readonly canChangeAddress: boolean;
  readonly canExport: boolean;
  readonly canDelete: boolean;
  /** URL at which to sign in again; `undefined` after a recent sign-in. */
  readonly signInAgainUrl: string | undefined;
  /** The query parameter `done`, unchecked. */
  readonly done?: string | undefined;
  /** The query parameter `error`, unchecked. */
  readonly error?: string | undefined;
}

/** A way to sign in, with the name of its provider; `undefined` if the provider is no longer configured. */
export interface ListedWay extends AccountWay {
  readonly name: string | undefined;
}
