import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { beginWebAuthn } from '../identity/webauthn/begin.ts';
import type { Ceremony } from '../identity/webauthn/provider.ts';
import { strategyOf } from '../session/strategy.ts';
import type { WebAuthnOptionsResponseBody } from '../types.ts';
import { needProvider } from './named-provider.ts';
import { noCache } from './session.ts';

/** `GET webauthn-options/<provider>`: what a browser needs to use a passkey, or to make one. */
export async function webauthnOptions(context: Context): Promise<Reply> {
  const provider = needProvider(context);
  if (provider.type !== 'webauthn')
    throw new InvalidProvider('the provider has no passkeys', { provider: provider.id });
  const { action } = context.query;
  if (!isCeremony(action)) return refused('Invalid action');
  const visitor = await (await strategyOf(context.settings)).currentUser(context, true);
  const begun = await beginWebAuthn(context, provider, action, visitor);
  if (!begun) return refused('Invalid request');
  const body = { action: begun.action, options: begun.options } as WebAuthnOptionsResponseBody;
  return { headers: noCache, body, cookies: [begun.cookie] };
}

function isCeremony(action: string | undefined): action is Ceremony | undefined {
  return action === undefined || action === 'authenticate' || action === 'register';
}

function refused(error: string): Reply {
  return { status: 400, headers: noCache, body: { error } };
}
