/** Someone who can sign in at the provider of {@link startOidcProvider}. */
export interface OidcUser {
  /** What is typed into `login`; the email address works too. Upper and lower case are the same. */
  login: string;
  password: string;
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  /** Default: a drawing with the initials, served by the provider itself. */
  picture?: string;
}

/** The users of a provider that is started without any: two with a verified address, one without. */
export const defaultUsers: readonly OidcUser[] = [
  {
    login: 'ada',
    password: 'password',
    sub: 'user-ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    email_verified: true,
  },
  {
    login: 'grace',
    password: 'password',
    sub: 'user-grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    email_verified: true,
  },
  {
    login: 'kim',
    password: 'password',
    sub: 'user-kim',
    name: 'Kim Unverified',
    email: 'kim@example.com',
    email_verified: false,
  },
];

/** The user with that name (or address) and password, or `null`. Pure. */
export function findUser(users: readonly OidcUser[], login: string, password: string): OidcUser | null {
  const typed = login.trim().toLowerCase();
  const found = users.find((user) => user.login.toLowerCase() === typed || user.email.toLowerCase() === typed);
  return found && found.password === password ? found : null;
}

/** A drawing with the initials of a name, as SVG. Pure. */
export function avatar(name: string): string {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) =>
      word
        .replace(/[^\p{L}\p{N}]/gu, '')
        .slice(0, 1)
        .toUpperCase(),
    )
    .join('');
  const hue = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 45% 40%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" font-weight="600" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`;
}
