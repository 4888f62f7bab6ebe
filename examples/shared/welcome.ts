import type { OidcUser } from '@latchkey/testing/oidc-provider';
import { demoUser } from './demo-user.ts';

/** The facts that a demo prints about itself. */
export interface WelcomeData {
  origin: string;
  /** URL of the inbox. */
  inbox: string;
  /** The users of the OpenID provider. */
  users: readonly OidcUser[];
  /** Name of the store. */
  store: string;
}

/** Returns the text that the demo prints at its start: the URL, the users and the store. */
export function welcome({ origin, inbox, users, store }: WelcomeData): string {
  const rows = users.map(({ login, password, name, email_verified }) => {
    const note = email_verified ? '' : ' (address not verified: a mail confirms it first)';
    return [`${login} / ${password}`, `${name}${note}`];
  });
  return `
  Open  ${origin}

  Sign in with the Demo Provider as
${table(rows)}
  or with the form as
${table([[`${demoUser.login} / ${demoUser.password}`, demoUser.name]])}
  or with any email address
${table([['the mail comes to', inbox]])}
  Kept in ${store}. Ctrl-C ends everything.
`;
}

function table(rows: string[][]): string {
  return rows.map(([left = '', right = '']) => `    ${left.padEnd(18)} ${right}\n`).join('');
}
