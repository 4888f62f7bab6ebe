import { startMailbox } from '@latchkey/testing/mailbox';
import type { OidcUser } from '@latchkey/testing/oidc-provider';
import { client, startDemoProvider } from './demo-provider.ts';
import { startInbox } from './inbox.ts';
import { keptSecret } from './kept.ts';
import type { Site } from './layout.ts';
import { freePort, orAnywhere } from './port.ts';

/** What {@link startServices} is told about the application. */
export interface ServiceOptions {
  /** The application's port; the services take ports behind it. */
  port: number;
  /** The application's origin, as visitors see it. */
  origin: string;
  /** Where visitors come back from the provider: `/auth/callback/demo`. */
  callbackPath: string;
  /** For what is kept. */
  folder: string;
  /** The inbox looks like a page of it. */
  site: Site;
}

/** What the services tell the application. */
interface ServiceEnv extends Readonly<Record<string, string>> {
  readonly AUTH_SECRET: string;
  readonly AUTH_DEMO_ISSUER: string;
  readonly AUTH_DEMO_ID: string;
  readonly AUTH_DEMO_SECRET: string;
  readonly EMAIL_SERVER: string;
  readonly INBOX_URL: string;
  /** Where a SQLite database may be. */
  readonly DATABASE_FILE: string;
}

/** What runs beside an application that is a process of its own. */
export interface Services {
  /** Those of the OpenID provider. */
  readonly users: readonly OidcUser[];
  /** Address of the inbox. */
  readonly inbox: string;
  /** The application's environment. */
  readonly env: ServiceEnv;
}

/** Starts an OpenID provider, a mail server and a page with its mails. They end with this process. */
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
