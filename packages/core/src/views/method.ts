/** The members of a provider from which visitors recognize it. */
export interface NamedMethod {
  readonly type: 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn';
  readonly id: string;
  readonly name: string;
}

/** Returns what stands after "Sign in with". Visitors do not know the name of a mail service, such as "Resend". */
export function methodInWords({ type, id, name }: NamedMethod): string {
  if (type === 'email') return name.toLowerCase() === id.toLowerCase() ? 'email' : name;
  return type === 'webauthn' && (name === 'Passkey' || name === 'WebAuthn') ? 'a passkey' : name;
}
