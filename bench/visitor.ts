import { createHash } from 'node:crypto';

/*
 * The visitor and the site of all measurements, the same for each contender.
 */

export const secret = 'a-secret-for-measurements-of-more-than-32-characters';
export const origin = 'http://localhost:3000';
export const basePath = '/auth';

/** The claims of the session. */
export const claims = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  picture: 'https://images.example.com/people/ada-lovelace.png',
  sub: '5b3f0f0e-7a58-4a1c-9a39-0d4e5c1f9b11',
  sid: '0a6f4c1e-52b5-4d0e-8f5e-3f1a2b4c5d6e',
};

export const cookieNames = {
  session: 'authjs.session-token',
  csrf: 'authjs.csrf-token',
  callbackUrl: 'authjs.callback-url',
};

export const csrfToken: string = createHash('sha256').update('a token for measurements').digest('hex');

/** Cookies of a returning browser: the CSRF token and the callback URL. */
export const usualCookies: string = [
  `${cookieNames.csrf}=${encodeURIComponent(
    `${csrfToken}|${createHash('sha256')
      .update(csrfToken + secret)
      .digest('hex')}`,
  )}`,
  `${cookieNames.callbackUrl}=${encodeURIComponent(origin)}`,
].join('; ');
