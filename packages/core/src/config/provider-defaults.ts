import type { Profile, TokenSet, User } from '../types.ts';

/**
 * The user that the standard claims describe (OpenID Connect Core §5.1). Never invents an id: a profile without one is
 * refused by the engine.
 */
export function defaultProfile(profile: Profile): User {
  return present({
    id: text(profile.sub ?? profile.id, Number.isSafeInteger),
    name: text(profile.name ?? profile.nickname ?? profile.preferred_username),
    email: text(profile.email),
    image: text(profile.picture),
  });
}

/** What of a token response is stored with the account: the members that the reference schema has columns for. */
export function defaultAccount(tokens: TokenSet): TokenSet {
  return present({
    access_token: tokens.access_token,
    id_token: tokens.id_token,
    refresh_token: tokens.refresh_token,
    expires_at: tokens.expires_at,
    scope: tokens.scope,
    token_type: tokens.token_type,
    session_state: tokens.session_state,
  });
}

/** Claims come from elsewhere: anything but a string or an acceptable number is no text. */
function text(value: unknown, accepts: (value: number) => boolean = Number.isFinite): string | undefined {
  if (typeof value === 'number') return accepts(value) ? String(value) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function present<T extends object>(members: T): T {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members) as (keyof T & string)[])
    if (members[name] !== undefined) kept[name] = members[name];
  return kept as T;
}
