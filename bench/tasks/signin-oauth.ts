import { signInAnswerer } from '../limit/signin-oauth.ts';
import { signInSocial } from '../peers/better-auth.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, csrfToken, origin, secret, usualCookies } from '../visitor.ts';
import { asking } from './parts/asking.ts';
import { clientId, metadata, providerConfig } from './parts/identity-provider.ts';

type Kind = 'oauth' | 'oidc';

/** The request of a button on the sign-in page. */
export const asked = {
  url: `${origin}${basePath}/signin/idp`,
  cookies: usualCookies,
  form: { csrfToken, callbackUrl: origin },
};

async function familyWork(name: FamilyName, kind: Kind): Promise<Work> {
  const { auth, customFetch } = await family(name);
  const config = { providers: [providerConfig(kind, customFetch)], secret, trustHost: true, basePath, logger };
  return asking((request) => auth(request, config), asked, 'code_challenge');
}

/** The provider's metadata, which is known before the first request. */
export function endpointOf(kind: Kind): Parameters<typeof signInAnswerer>[0] {
  const scope = kind === 'oidc' ? 'openid profile email' : 'read:user';
  const authorization = `${metadata.authorization_endpoint}?${new URLSearchParams({ scope })}`;
  return { id: 'idp', clientId, authorization, pkce: kind === 'oidc' };
}

export const workshop: Workshop = {
  latchkey: (kind: Kind) => familyWork('latchkey', kind),
  authjs: (kind: Kind) => familyWork('authjs', kind),
  'better-auth': signInSocial,
  limit: (kind: Kind) => asking(signInAnswerer(endpointOf(kind), [secret]), asked, 'code_challenge'),
};
