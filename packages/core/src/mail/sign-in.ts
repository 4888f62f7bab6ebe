import type { Theme } from '../types/provider.ts';
import { html } from '../views/html.ts';
import { buttonRow, mailDocument, ruleRow, textLink, textRow } from './document.ts';

/** Data of the mail with a sign-in link. */
export interface SignInMailData {
  /** The link, an absolute URL. */
  readonly url: string;
  readonly theme: Theme;
  /** Seconds that the link is valid. If it is undefined, the mail does not mention a time. */
  readonly maxAge?: number | undefined;
}

/** Subject and content of a mail, as plain text and as HTML. */
export interface SignInMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Returns the mail with a sign-in link. It names the site by its host only, so that visitors cannot add text to it. The
 * link is the only part with values from the request.
 *
 * @throws {TypeError} if `url` is not an absolute URL.
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

const keep = 'Do not share this link. The first person who opens it is signed in as you.';
const ignore = 'If you did not request this email, ignore it. Without the link, no one can sign in.';

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/**
 * Returns a duration in words, rounded down, in the largest unit that gives at least 2: "24 hours", "15 minutes". A
 * non-breaking space separates number and unit.
 *
 * @param seconds At least 0.
 */
export function timeInWords(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= 2 * unit) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count}\u00A0${name}${count === 1 ? '' : 's'}`;
}
