/**
 * Markers that only code can set: none of them can arrive from JSON, a form or the environment by accident.
 *
 * `raw` and `skipCSRFCheck` lower what the library guarantees, so only our own symbols count. The other two only change
 * how a provider talks to its vendor, so they are also recognised by description on provider objects that were made by
 * another package of the Auth.js v5 family (see `config/own-or-foreign.ts`).
 */

/** As `config.raw`: `Auth` resolves to a plain {@link ResponseInternal} instead of a `Response`. For framework authors. */
export const raw: unique symbol = Symbol('return-type-raw');

/**
 * As `config.skipCSRFCheck`: no CSRF token is asked for. For framework authors whose framework has checked the origin
 * of the request itself; the `csrf` action answers 404 then.
 */
export const skipCSRFCheck: unique symbol = Symbol('skip-csrf-check');

/**
 * As a member of a provider (or of its options): a replacement of `fetch` for every request to that provider.
 * Deadline and size limits of the library stay in force around it.
 */
export const customFetch: unique symbol = Symbol('custom-fetch');

/**
 * As a provider option: plain http endpoints are accepted for this provider although its host is not loopback. Everything
 * that it sends can be read and changed on the way; meant for closed test networks.
 */
export const allowInsecureIssuer: unique symbol = Symbol('allow-insecure-issuer');
