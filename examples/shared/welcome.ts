import type { OidcUser } from '@latchkey/testing/oidc-provider';
import { demoUser } from './demo-user.ts';

/** What a demo tells about itself. */
export interface WelcomeData {
  origin: string;
  /** Address of the inbox. */
  inbox: string;
  /** Those of the OpenID provider. */
  users: readonly OidcUser[];
  /** Name of the store. */
  store: string;
}

/** What is printed at start: what to open, as whom to sign in, and where all of it is kept. */
export function welcome({ origin, inbox, users, store }: WelcomeData): string {
  const rows = users.map(({ login, password, name, email_verified }) => {
    const note = email_verified ? '' : ' (address not verified: is turned away)';
    return [`${login} / ${password}`, `${name}${note}`];
  });
  return `
  Open  ${origin}

  Sign in with the Demo Provider as
${table(rows)}
  or with the form as
${table([[`${demoUser.login} / ${demoUser.password}`, demoUser.name]])}
  or with any email address
${table([['the link comes to', inbox]])}
  Kept in ${store}. Ctrl-C ends everything.
`;
}

function table(rows: string[][]): string {
  return rows.map(([left = '', right = '']) => `    ${left.padEnd(18)} ${right}\n`).join('');
}
