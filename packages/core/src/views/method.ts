import type { Language } from '../messages/en.ts';

/** The members of a provider from which visitors recognize it. */
export interface NamedMethod {
  readonly type: 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn';
  readonly id: string;
  readonly name: string;
}

/** Returns the name of a sign-in method. Visitors do not know the name of a mail service, such as "Resend". */
export function methodInWords({ type, id, name }: NamedMethod, { texts }: Language): string {
  if (type === 'email') return name.toLowerCase() === id.toLowerCase() ? texts.sessions.email : name;
  return type === 'webauthn' && (name === 'Passkey' || name === 'WebAuthn') ? texts.sessions.passkey : name;
}
