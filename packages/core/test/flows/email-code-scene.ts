import type { Browser, Page, StoredCookie } from '@latchkey/testing';
import { expect } from 'vitest';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Door } from './doors.ts';
import { type MailScene, type MailSceneOptions, type MailStore, mailScene, mailStore } from './email-scene.ts';

export const address = 'ada@example.com';
export const bob = 'bob@example.com';
/** The page that asks for the code. */
export const waiting = '/auth/verify-request?provider=mail&type=email&code=1';
/** The page after a wrong code. */
export const wrong = `${waiting}&error=Verification`;
/** The page after the last wrong code. */
export const over = '/auth/verify-request?provider=mail&type=email&error=Verification';

/** An application whose mails have a link and a code. */
export type CodeScene = (
  config?: Partial<AuthConfig>,
  provider?: Partial<EmailConfig>,
  more?: MailSceneOptions,
) => MailScene;

export function codeScene(door: Door): CodeScene {
  return (config = {}, provider = {}, more = {}) =>
    mailScene(door, config, { provider: { code: true, ...provider }, ...more });
}

/** The code in the last mail. */
export function codeOf({ sent }: MailScene): string {
  return sent.at(-1)?.code ?? expect.unreachable('the mail has no code');
}

/** Another code than the one in the last mail. */
export function otherCode(app: MailScene, step = 1): string {
  return String((Number(codeOf(app)) + step) % 1e8).padStart(8, '0');
}

/** Types a code on the page. */
export function type(app: MailScene, code: unknown, browser: Browser = app.browser): Promise<Page> {
  return app.post('code/mail', { code }, browser);
}

/** Has the mail of this browser sent again. */
export function again(app: MailScene): Promise<Page> {
  return app.post('signin/mail', {});
}

export function mailCookie({ browser }: MailScene): StoredCookie | undefined {
  return browser.cookies.all().find(({ name }) => name === 'authjs.mail');
}

/** A store whose adapter deletes all tokens of an address, as those of Latchkey do. */
export function deletingStore(): MailStore {
  const store = mailStore();
  Object.assign(store.adapter, {
    deleteVerificationTokens: async ({ identifier }: { identifier: string }) => {
      for (const [key, row] of store.tokens) if (row.identifier === identifier) store.tokens.delete(key);
    },
  });
  return store;
}

/** Reads a row and deletes it in two steps, as some community adapters do. */
export function nonAtomicStore(): MailStore {
  const store = mailStore();
  store.adapter.useVerificationToken = async ({ identifier, token }) => {
    const found = [...store.tokens].find(([, row]) => row.identifier === identifier && row.token === token);
    await new Promise((resolve) => setImmediate(resolve));
    if (!found) return null;
    store.tokens.delete(found[0]);
    return found[1];
  };
  return store;
}
