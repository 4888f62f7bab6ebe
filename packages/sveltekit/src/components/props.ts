import type { AuthorizationParams } from '@latchkey/core/binding';
import type { Snippet } from 'svelte';
import type { HTMLFormAttributes } from 'svelte/elements';

/** Options of the form, for the action. */
export type ActionOptions =
  | FormData
  | {
      /** Where the visitor goes afterwards: a path, or an address on this site. Default: the page with the form. */
      redirectTo?: string | undefined;
      /** `false`: the page receives the address (`form.url`) instead. Default: `true`. */
      redirect?: boolean | undefined;
    };

/** Options of the form of `SignOut`, for the action. */
export type SignOutActionOptions =
  | FormData
  | (Exclude<ActionOptions, FormData> & {
      /** `false`: keep the session at the provider, although `logout.provider` is set. Default: end it, too. */
      provider?: boolean | undefined;
    });

/** Attributes of a `<form>` that are not the component's own. */
type FormAttributes = Omit<HTMLFormAttributes, 'action' | 'children' | 'method'>;

/** Properties of `SignIn`. Other properties are attributes of the form. */
export interface SignInProps extends FormAttributes {
  /** Classes beside `signInButton`. */
  className?: string | undefined;
  /** Classes of the button, such as those of `@latchkey/core/style.css`. Default: none. */
  buttonClass?: string | undefined;
  /** Id of the provider. Without it, the form leads to the sign-in page. */
  provider?: string | undefined;
  /** The name that visitors know. Default: the name of the built-in provider with this id. */
  label?: string | undefined;
  /** The page whose action is `signIn`, and which of its actions: `login`, `login?/start`. Default: `signin`. */
  signInPage?: string | undefined;
  /** Options of the sign-in, such as `redirectTo`. Default: the visitor comes back to this page. */
  options?: ActionOptions | undefined;
  /** Parameters for the provider's authorization endpoint. */
  authorizationParams?: AuthorizationParams | undefined;
  /** The fields of the provider `credentials`. */
  credentials?: Snippet | undefined;
  /** The field of a provider that sends emails, in the place of the built-in one. */
  email?: Snippet | undefined;
  /** Content of the button. Default: `Sign in with <label>`, and `Continue` for a provider that mails links. */
  submitButton?: Snippet | undefined;
  /** More fields. */
  children?: Snippet | undefined;
}

/** Properties of `SignInCode`. Other properties are attributes of the form. */
export interface SignInCodeProps extends FormAttributes {
  /** Classes beside `signInCode`. */
  className?: string | undefined;
  /** Classes of the button, such as those of `@latchkey/core/style.css`. Default: none. */
  buttonClass?: string | undefined;
  /** Id of the provider that has sent the mail. Without it, the form leads to the sign-in page. */
  provider?: string | undefined;
  /** The page whose action is `signIn`, and which of its actions: `login`, `login?/start`. Default: `signin`. */
  signInPage?: string | undefined;
  /** Options of the form. Default of `redirectTo`: the page that the request for the mail named. */
  options?: ActionOptions | undefined;
  /** The field, in the place of the built-in one. Its name is `code`. */
  code?: Snippet | undefined;
  /** Content of the button. Default: `Sign in`. */
  submitButton?: Snippet | undefined;
}

/** Properties of `SignOut`. Other properties are attributes of the form. */
export interface SignOutProps extends FormAttributes {
  /** Classes beside `signOutButton`. */
  className?: string | undefined;
  /** Classes of the button, such as those of `@latchkey/core/style.css`. Default: none. */
  buttonClass?: string | undefined;
  /** The page whose action is `signOut`. Default: `signout`. */
  signOutPage?: string | undefined;
  /** Options of the sign-out, such as `redirectTo`. Default: the visitor comes back to this page. */
  options?: SignOutActionOptions | undefined;
  /** Content of the button. Default: `Sign Out`. */
  submitButton?: Snippet | undefined;
}
