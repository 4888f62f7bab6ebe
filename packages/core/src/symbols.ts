/**
 * Options that only code can set: a symbol cannot come from JSON, a form or the environment.
 *
 * `raw` and `skipCSRFCheck` remove protections, so only the symbols of this file count. `customFetch` and
 * `allowInsecureIssuer` are also found by their description, so that providers work that were made with the symbols of
 * `@auth/core`.
 */

/**
 * Value of `config.raw`: `Auth` resolves to a plain `ResponseInternal` instead of a `Response`, and throws
 * `AuthError`s. For framework authors.
 *
 * ```ts
 * const { status, cookies, redirect } = await Auth(request, { ...config, raw });
 * ```
 */
export const raw: unique symbol = Symbol('return-type-raw');

/**
 * Value of `config.skipCSRFCheck`: forms need no CSRF token, and the action `csrf` responds with status 404. For
 * framework authors whose framework checks the origin of each form.
 *
 * ```ts
 * const response = await Auth(request, { ...config, skipCSRFCheck });
 * ```
 */
export const skipCSRFCheck: unique symbol = Symbol('skip-csrf-check');

/**
 * Member of a provider or of its options: replaces `fetch` for all requests to the provider. The time limit and size
 * limit of the library still apply.
 *
 * ```ts
 * GitHub({ [customFetch]: (url, init) => fetch(url, { ...init, dispatcher: proxy }) });
 * ```
 */
export const customFetch: unique symbol = Symbol('custom-fetch');

/**
 * Member of the configuration: accepts secrets with fewer than 32 characters in production. Without it they are a
 * problem of the configuration there, because an attacker can guess them offline. Use it while you replace
 * one.
 *
 * ```ts
 * const config: AuthConfig = { providers: [GitHub], secret: [long, short], [allowShortSecret]: true };
 * ```
 */
export const allowShortSecret: unique symbol = Symbol('allow-short-secret');

/** Internal: member of the configuration with what the environment says about the deployment. */
export const deployment: unique symbol = Symbol('deployment');

/**
 * Member of a provider or of its options: allows http URLs of hosts other than localhost. Anyone on the network can
 * read and change what the provider sends. For closed test networks.
 *
 * ```ts
 * Keycloak({ issuer: 'http://keycloak.test', [allowInsecureIssuer]: true });
 * ```
 */
export const allowInsecureIssuer: unique symbol = Symbol('allow-insecure-issuer');
