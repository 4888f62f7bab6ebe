import {
  AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  MissingWebAuthnAutocomplete,
} from '../errors.ts';
import type { ProviderConfig } from '../providers/index.ts';
import type { WebAuthnConfig } from '../providers/webauthn.ts';
import type { AuthConfig } from '../types.ts';

/** What is wrong with the passkey providers of a configuration. */
export function checkWebAuthn(providers: readonly ProviderConfig[], config: AuthConfig): AuthError[] {
  const webauthn = providers.filter((provider): provider is WebAuthnConfig => provider.type === 'webauthn');
  if (webauthn.length === 0) return [];
  return [
    ...(config.experimental?.enableWebAuthn === true
      ? []
      : [new ExperimentalFeatureNotEnabled('Passkeys are experimental. Set `experimental.enableWebAuthn: true`')]),
    ...checkAutofill(webauthn.filter((provider) => provider.enableConditionalUI)),
    ...webauthn.flatMap((provider) =>
      [...siteProblems(provider), ...versionProblems(provider)].map(
        (text) => new AuthError(`provider "${provider.id}": ${text}`),
      ),
    ),
  ];
}

function checkAutofill(autofill: readonly WebAuthnConfig[]): AuthError[] {
  const problems: AuthError[] = [];
  if (autofill.length > 1) {
    problems.push(
      new DuplicateConditionalUI('More than one provider has `enableConditionalUI`. Set it to `false` for all but one'),
    );
  }
  for (const provider of autofill) {
    const fields = Object.values(provider.formFields ?? {});
    if (fields.some((field) => /\bwebauthn\b/.test(String(field.autocomplete)))) continue;
    problems.push(
      new MissingWebAuthnAutocomplete(
        `provider "${provider.id}" has \`enableConditionalUI\`, but none of its \`formFields\` has autocomplete "… webauthn". Add it to one`,
      ),
    );
  }
  return problems;
}

/** Browsers compare letter by letter: what looks nearly right never matches. */
function siteProblems({ relayingParty }: WebAuthnConfig): string[] {
  const origins = [relayingParty?.origin ?? []].flat();
  const ids = [relayingParty?.id ?? []].flat();
  return [
    ...origins
      .filter((origin) => origin !== '' && !isOrigin(origin))
      .map(
        (origin) =>
          `\`relayingParty.origin\` (${origin}) is no origin. Write it like https://example.com, without a path`,
      ),
    ...ids
      .filter((id) => id !== '' && !isDomain(id))
      .map((id) => `\`relayingParty.id\` (${id}) is no domain. Write it like example.com, without scheme and port`),
  ];
}

function isOrigin(text: string): boolean {
  // Apps on Android have origins of their own kind.
  return (URL.canParse(text) && new URL(text).origin === text) || /^android:apk-key-hash:[\w-]+$/.test(text);
}

function isDomain(text: string): boolean {
  return URL.canParse(`https://${text}`) && new URL(`https://${text}`).hostname === text;
}

const VERSION = /^v\d+(?:\.\d+){0,2}$/;

function versionProblems({ simpleWebAuthn, simpleWebAuthnBrowserVersion: version }: WebAuthnConfig): string[] {
  const problem = typeof simpleWebAuthn === 'function' ? undefined : libraryProblem(simpleWebAuthn);
  return [
    ...(version === undefined || version === false || VERSION.test(String(version))
      ? []
      : [`\`simpleWebAuthnBrowserVersion\` (${String(version)}) is no version. Leave it out`]),
    ...(problem === undefined ? [] : [problem]),
  ];
}

const FUNCTIONS = [
  'generateAuthenticationOptions',
  'generateRegistrationOptions',
  'verifyAuthenticationResponse',
  'verifyRegistrationResponse',
] as const;

/**
 * What is wrong with an object that is to act as `@simplewebauthn/server`, and the remedy; `undefined` when it will do.
 *
 * Up to version 10 a sign-in was judged with an `authenticator`, since then with a `credential`; nothing else tells the
 * versions apart before somebody signs in. A function whose text says neither is somebody's own and gets the benefit of the doubt.
 */
export function libraryProblem(library: object | undefined): string | undefined {
  const functions: Partial<Record<string, unknown>> = { ...library };
  const missing = FUNCTIONS.filter((name) => typeof functions[name] !== 'function');
  if (missing.length > 0)
    return `\`simpleWebAuthn\` lacks ${missing.join(', ')}. Take the provider from "@latchkey/core/providers/passkey", which brings it, or hand in the module \`@simplewebauthn/server\``;
  const text = String(functions['verifyAuthenticationResponse']);
  if (!takes(text, 'authenticator') || takes(text, 'credential')) return undefined;
  return '`simpleWebAuthn` is an old version of @simplewebauthn/server. Install version 14 or newer, and take the provider from "@latchkey/core/providers/passkey"';
}

/** Does the source of a function read this member of its argument? */
function takes(source: string, member: string): boolean {
  return new RegExp(`[{,(]\\s*${member}\\s*[,:}=]|\\.${member}\\b`).test(source);
}
