import type { Component, ComponentConstructorOptions, SvelteComponent } from 'svelte';
// The same path from `src` and from `dist`.
import SignInForm from '../../components/SignIn.svelte';
import SignInCodeForm from '../../components/SignInCode.svelte';
import SignOutForm from '../../components/SignOut.svelte';
import type { SignInCodeProps, SignInProps, SignOutProps } from './props.ts';

export type { ActionOptions, SignInCodeProps, SignInProps, SignOutActionOptions, SignOutProps } from './props.ts';

/** A component that accepts snippets, and the older `slot="…"`. */
export interface FormComponent<Props extends SignOutProps, Slot extends string> extends Component<Props> {
  /** Lets Svelte's tools read the names of slots. @deprecated Never called: a component is a function. */
  new (
    options: ComponentConstructorOptions<Props>,
  ): SvelteComponent<Props, Record<string, never>, Record<Slot, Record<string, never>>>;
}

/**
 * A form that starts a sign-in. It needs a page whose form action is `signIn`: `src/routes/signin/+page.server.ts` with
 * `export const actions = { default: signIn }`.
 *
 * ```svelte
 * <SignIn provider="github" options={{ redirectTo: '/' }} />
 * ```
 *
 * The button says "Sign in with GitHub". For a provider of your own, pass its `label`.
 */
export const SignIn: FormComponent<SignInProps, 'credentials' | 'default' | 'email' | 'submitButton'> = SignInForm;

/**
 * A form for the code of a mail. It works without scripts, and needs a page whose form action is `signIn`, as `SignIn`
 * does. The mail belongs to the newest request in this browser.
 *
 * ```svelte
 * <SignInCode provider="resend" />
 * ```
 */
export const SignInCode: FormComponent<SignInCodeProps, 'code' | 'submitButton'> = SignInCodeForm;

/**
 * A form that ends the session. It needs a page whose form action is `signOut`: `src/routes/signout/+page.server.ts`
 * with `export const actions = { default: signOut }`.
 *
 * ```svelte
 * <SignOut options={{ redirectTo: '/' }} />
 * ```
 */
export const SignOut: FormComponent<SignOutProps, 'submitButton'> = SignOutForm;
