import type { ColumnKind } from './fields.ts';

/**
 * Names that say that a column holds a password, a key, a code or their hash. The pattern matches a name whose words
 * are joined by `_`. It matches `reset_token` and `authtoken`, but not `hashtag`, `secretary`, `public_key` and
 * `country_code`.
 */
const PRIVATE = new RegExp(
  [
    // Anywhere in the name: no other English word contains these.
    'password|passwort|passwd|passphrase|pwd|otpauth|mnemonic',
    // At the end of a word, because words are often written together: `pwhash`, `authtoken`, `totp`.
    '(hash|hashes|salt|salts|secret|secrets|token|tokens|otp|otps)(_|$)',
    // Whole words.
    '(^|_)(pass|pw|passcode|pin|credential|credentials|bcrypt|scrypt|argon|jwt)(_|$)',
    '(^|_)(api|private|secret|access|auth|encryption|signing|master|mfa|hmac)_?keys?(_|$)',
    '(^|_)(recovery|backup|reset|activation|session)_?keys?(_|$)',
    '(^|_)(recovery|backup|scratch|reset|verification|confirmation|security|login|sms|mfa)_?codes?(_|$)',
    '(^|_)(verify|confirm|activation|auth|factor|one_time)_?codes?(_|$)',
    '(^|_)(magic|reset|activation)_?(link|url)s?(_|$)',
    '(^|_)(mfa|recovery|seed)_?(seed|phrase)s?(_|$)',
    '(^|_)security_?(answer|answers|stamp)(_|$)',
  ].join('|'),
);

/**
 * Tells whether the name of a column says that it is private. A date or a boolean cannot hold a secret, so
 * `passwordChangedAt` and `hasPassword` are not private if they have these types.
 */
export function isPrivate(name: string, kind: ColumnKind): boolean {
  return kind !== 'date' && kind !== 'boolean' && PRIVATE.test(wordsOf(name));
}

/** Returns a name in lower case, with `_` between its words: `reset_token` for `resetToken` and `RESET_TOKEN`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z]+/g, '_')
    .toLowerCase();
}
