'use server';

import { AuthError } from '@latchkey/next';
import { refresh } from 'next/cache';
import { sessions, signIn, signOut, update } from '../auth.ts';
import { base } from '../base.ts';

/** Redirects to the provider. After the sign-in the visitor returns to the requested page. */
export async function signInAtProvider(form: FormData): Promise<void> {
  await signIn('demo', form);
}

/** Mails a link. */
export async function signInByMail(form: FormData): Promise<void> {
  await signIn('nodemailer', form);
}

/**
 * Signs in with login and password.
 *
 * @returns The error message for the form; `undefined` after a sign-in.
 */
export async function signInWithPassword(_before: string | undefined, form: FormData): Promise<string | undefined> {
  try {
    await signIn('credentials', form);
  } catch (error) {
    // Throw other errors again: Next.js redirects by exceptions.
    if (!(error instanceof AuthError)) throw error;
    return error.type === 'CredentialsSignin' ? 'Login or password is wrong.' : 'The sign-in failed. Try again later.';
  }
}

/** Ends the session. */
export async function signOutHere(): Promise<void> {
  await signOut({ redirectTo: `${base}/` });
}

/** Ends a session of the visitor. The ids of other users' sessions end nothing. */
export async function endSession(form: FormData): Promise<void> {
  await sessions.end(String(form.get('id')));
  refresh();
}

/** Ends all sessions of the visitor but this one. */
export async function endOtherSessions(): Promise<void> {
  await sessions.endOthers();
  refresh();
}

/** Changes the visitor's name; `callbacks.jwt` decides. */
export async function rename(form: FormData): Promise<void> {
  await update({ name: form.get('name') });
  refresh();
}
