import WebAuthn, { type WebAuthnConfig } from './webauthn.ts';

/** What an application may pass to {@link Passkey}. */
export type PasskeyUserConfig = Partial<WebAuthnConfig>;

/**
 * Passkeys: WebAuthn with keys that browsers find by themselves (nothing has to be typed), unlocked by the person. Uses
 * `@simplewebauthn/server` (version 14 or newer), which the application installs.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @see https://simplewebauthn.dev/docs/packages/server
 * @reviewed 2026-11-21
 * @register Nothing. Set `experimental: { enableWebAuthn: true }` and an adapter. Passkeys belong to the site's domain and are lost with it.
 * @option `relayingParty` Domain, name and origins of the site. Default: those of the request.
 * @option `enableConditionalUI` Browsers offer passkeys in the autofill of a field; one provider may have it. Default: `true`.
 * @option `formFields` Inputs of the form on the sign-in page, by name. Default: `email`.
 * @option `getUserInfo(context, request)` Whose passkey is asked for. Default: by the parameter `email`.
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
