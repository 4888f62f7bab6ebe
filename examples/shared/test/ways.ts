import type { Page } from 'playwright-core';
import { signInAtProvider, signInByCode, signInByLink, signInWithPassword, withNewPasskey } from './sign-in.ts';

/** A sign-in method, and the steps from the sign-in page on. */
export interface Way {
  readonly name: string;
  /** The name or address of the signed-in user. */
  readonly visitor: string;
  readonly signIn: (page: Page, inbox: string) => Promise<void>;
}

/** The sign-in methods of the demos. */
export const ways: readonly Way[] = [
  { name: 'at the provider', visitor: 'Ada Lovelace', signIn: (page) => signInAtProvider(page, 'ada') },
  { name: 'with a password', visitor: 'Demo User', signIn: (page) => signInWithPassword(page, 'password') },
  {
    name: 'with a mailed link',
    visitor: 'nina@example.com',
    signIn: (page, inbox) => signInByLink(page, 'nina@example.com', inbox),
  },
  {
    name: 'with a mailed code',
    visitor: 'noor@example.com',
    signIn: (page, inbox) => signInByCode(page, 'noor@example.com', inbox),
  },
  {
    name: 'with a new passkey',
    visitor: 'paula@example.com',
    signIn: (page) => withNewPasskey(page, 'paula@example.com'),
  },
];
