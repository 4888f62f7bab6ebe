import { startMailbox } from '@latchkey/testing/mailbox';
import type { OidcUser } from '@latchkey/testing/oidc-provider';
import { client, startDemoProvider } from './demo-provider.ts';
import { startInbox } from './inbox.ts';
import { keptSecret } from './kept.ts';
import type { Site } from './layout.ts';
import { freePort, orAnywhere } from './port.ts';

/** The facts about the application that {@link startServices} needs. */
export interface ServiceOptions {
  /** The application's port. The services use the following ports. */
  port: number;
  /** The application's origin, as visitors see it. */
  origin: string;
  /** Path of the callback URL: `/auth/callback/demo`. */
  callbackPath: string;
  /** The folder for the secret and the database. */
  folder: string;
  /** The facts that the inbox shows about the demo. */
  site: Site;
}

/** The environment that the services give to the application. */
interface ServiceEnv extends Readonly<Record<string, string>> {
  readonly AUTH_SECRET: string;
  readonly AUTH_DEMO_ISSUER: string;
  readonly AUTH_DEMO_ID: string;
  readonly AUTH_DEMO_SECRET: string;
  readonly EMAIL_SERVER: string;
  readonly INBOX_URL: string;
  /** Path for a SQLite database. */
  readonly DATABASE_FILE: string;
}

/** The services of an application that runs in another process. */
export interface Services {
  /** The users of the OpenID provider. */
  readonly users: readonly OidcUser[];
  /** URL of the inbox. */
  readonly inbox: string;
  /** The application's environment. */
  readonly env: ServiceEnv;
}

/** Starts an OpenID provider, a mail server and an inbox. They end with this process. */
export async function startServices({ port, origin, callbackPath, folder, site }: ServiceOptions): Promise<Services> {
  const mailbox = await startMailbox();
  const { issuer, users } = await startDemoProvider(await freePort(port + 1), origin + callbackPath);
  const inbox = await orAnywhere(await freePort(port + 2), (at) => startInbox(site, mailbox.messages, at));
  const { host, port: mailPort } = mailbox.server;
  return {
    users,
    inbox,
    env: {
      AUTH_SECRET: keptSecret(folder),
      AUTH_DEMO_ISSUER: issuer,
      AUTH_DEMO_ID: client.client_id,
      AUTH_DEMO_SECRET: client.client_secret,
      EMAIL_SERVER: `smtp://${host}:${mailPort}`,
      INBOX_URL: inbox,
      DATABASE_FILE: `${folder}/demo.sqlite`,
    },
  };
}
