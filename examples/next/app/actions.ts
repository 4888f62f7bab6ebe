'use server';

import { AuthError } from '@latchkey/next';
import { refresh } from 'next/cache';
import { signInError } from '../../shared/sign-in-error.ts';
import { sessions, signIn, signOut, update } from '../auth.ts';
import { base } from '../base.ts';

/** The state of the sign-in form. */
export interface TypedName {
  /** A login or an address. With it, the page asks for the password. */
  name?: string;
  /** Why the sign-in failed. */
  problem?: string;
}

/**
 * Asks for the password of the name that was typed, or signs in with both. The page for the password is the same for
 * known and unknown names.
 *
 * @returns The state of the form. After a sign-in, Next.js redirects to the requested page.
 */
export async function signInWithName(_before: TypedName, form: FormData): Promise<TypedName> {
  const name = String(form.get('login') ?? '').trim();
  if (!form.has('password')) return name ? { name } : {};
  try {
    await signIn('credentials', form);
    return {};
  } catch (error) {
    // Throw other errors again: Next.js redirects by exceptions.
    if (!(error instanceof AuthError)) throw error;
    return { name, problem: signInError(error.type) };
  }
}

/** Redirects to the provider. After the sign-in the visitor returns to the requested page. */
export async function signInAtProvider(form: FormData): Promise<void> {
  await signIn('demo', form);
}

/** Mails a link and a code. */
export async function signInByMail(form: FormData): Promise<void> {
  await signIn('nodemailer', form);
}

/** Ends the session. */
export async function signOutHere(): Promise<void> {
  await signOut({ redirectTo: `${base}/` });
}

/** Ends the session, and asks who signs in next. */
export async function useDifferentAccount(): Promise<void> {
  await signOut({ redirectTo: `${base}/sign-in` });
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
