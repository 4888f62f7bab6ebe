import type { Theme } from '../types.ts';
import { html } from '../views/html.ts';
import { buttonRow, mailDocument, ruleRow, textLink, textRow } from './document.ts';
import { timeInWords } from './validity.ts';

/** What the mail with a sign-in link tells. */
export interface SignInMailData {
  /** The link; absolute. */
  readonly url: string;
  readonly theme: Theme;
  /** Seconds the link is valid; without it the mail does not say. */
  readonly maxAge?: number | undefined;
}

/** A mail's words, in both of its forms. */
export interface SignInMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The mail with a sign-in link. It names the site by its host alone: nothing that a visitor typed is in it but what the
 * link carries.
 *
 * @throws {TypeError} when `url` is no absolute address.
 */
export function signInMail({ url, theme, maxAge }: SignInMailData): SignInMail {
  const { host, origin } = new URL(url);
  const subject = `Sign in to ${host}`;
  const validity = `The link works once${maxAge === undefined ? '' : `, for ${timeInWords(maxAge)}`}.`;
  return {
    subject,
    text: `${subject}\n\nOpen this address to sign in:\n\n${url}\n\n${validity} ${keep}\n\n${ignore}\n`,
    html: mailDocument({
      title: subject,
      preview: `Your link to sign in. ${validity}`,
      theme,
      rows: [
        textRow('heading', html`Sign in to ${textLink('heading', host, origin, theme)}`, theme),
        textRow('plain', html`Press the button to sign in. ${validity}`, theme),
        buttonRow('Sign in', url, theme),
        ruleRow(theme),
        textRow('quiet', html`If the button does nothing, open this address:`, theme),
        textRow('small', textLink('small', url, url, theme), theme),
        textRow('quiet', html`${keep} ${ignore}`, theme),
      ],
    }),
  };
}

const keep = 'Do not pass the link on: whoever opens it first is signed in as you.';
const ignore = 'If you did not ask for this mail, ignore it: nobody gets in without the link.';
