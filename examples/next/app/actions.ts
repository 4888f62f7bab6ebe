'use server';

import { AuthError } from '@latchkey/next';
import { refresh } from 'next/cache';
import { signIn, signOut, update } from '../auth.ts';
import { base } from '../base.ts';

/** To the provider, and back to the page asked for. */
export async function signInAtProvider(form: FormData): Promise<void> {
  await signIn('demo', form);
}

/** Mails a link. */
export async function signInByMail(form: FormData): Promise<void> {
  await signIn('nodemailer', form);
}

/**
 * With login and password.
 *
 * @returns What went wrong, for the form.
 */
export async function signInWithPassword(_before: string | undefined, form: FormData): Promise<string | undefined> {
  try {
    await signIn('credentials', form);
  } catch (error) {
    // Anything else is none of ours: Next's redirects are exceptions, too.
    if (!(error instanceof AuthError)) throw error;
    return error.type === 'CredentialsSignin' ? 'Login or password is wrong.' : 'That did not work. Try again later.';
  }
}

/** Ends the session. */
export async function signOutHere(): Promise<void> {
  await signOut({ redirectTo: `${base}/` });
}

/** Changes the visitor's name; `callbacks.jwt` decides. */
export async function rename(form: FormData): Promise<void> {
  await update({ name: form.get('name') });
  refresh();
}
