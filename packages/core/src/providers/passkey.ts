import WebAuthn, { type WebAuthnConfig } from './webauthn.ts';

/** Options of {@link Passkey}. */
export type PasskeyUserConfig = Partial<WebAuthnConfig>;

/**
 * Passkeys: discoverable WebAuthn keys, which the visitor unlocks without entering a user name. Uses the package
 * `@simplewebauthn/server` (version 14 or newer), which the application installs.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @see https://simplewebauthn.dev/docs/packages/server
 * @reviewed 2026-11-21
 * @register Not needed. Set `experimental: { enableWebAuthn: true }` and configure an adapter. Passkeys belong to the
 * site's domain: if the domain changes, they no longer work.
 * @option `relayingParty` Domain, name and origins of the site. Default: domain and name of the request, and the origin
 * of `AUTH_URL`. Set `origin` if the site has no `AUTH_URL`.
 * @option `enableConditionalUI` `true`: browsers offer passkeys in the autofill of a field. Only one provider can set
 * it. Default: `true`.
 * @option `formFields` Inputs of the form on the sign-in page, by name. Default: `email`.
 * @option `getUserInfo(context, request)` Returns the user whose passkey is used or created. Default: the user with the
 * address in the parameter `email`.
 * @option `unverifiedEmail` `'verify'`: a mail confirms the typed address before a user is created. `'allow'`: visitors
 * create users with addresses that are not proven. `'refuse'`: they cannot. Default: `'verify'` with an email provider,
 * otherwise `'refuse'` if another provider sets `allowDangerousEmailAccountLinking`.
 */
export default function Passkey(config: PasskeyUserConfig = {}): WebAuthnConfig {
  const { registrationOptions } = config;
  return WebAuthn({
    ...config,
    id: config.id ?? 'passkey',
    name: config.name ?? 'Passkey',
    authenticationOptions: { userVerification: 'required', ...config.authenticationOptions },
    registrationOptions: {
      ...registrationOptions,
      authenticatorSelection: {
        residentKey: 'required',
        userVerification: 'required',
        ...registrationOptions?.authenticatorSelection,
      },
    },
    verifyAuthenticationOptions: { requireUserVerification: true, ...config.verifyAuthenticationOptions },
    verifyRegistrationOptions: { requireUserVerification: true, ...config.verifyRegistrationOptions },
  });
}
