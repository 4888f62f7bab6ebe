import type { ProviderId } from '@latchkey/core/providers';
import type { MailStatus } from '@latchkey/core/types';
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next';
import type { ConfigSource } from './config.ts';
import { pendingMailHere } from './current-request.ts';
import { pagesVisit, pendingMailInPages } from './pages-router.ts';

/**
 * Returns what your own page of `pages.verifyRequest` shows of the mail that the visitor has requested. Reads a cookie;
 * the store is not used. `provider` is the id of the provider that must have sent the mail. Default: any.
 *
 * The result is `null` if this browser has no pending mail. It has not requested one, the mail has expired, or the
 * provider has neither `code` nor `confirm`. It is also `null` if the configuration has a problem, which is in the log.
 */
export interface PendingMail {
  /**
   * In server components, server actions and route handlers.
   *
   * ```ts
   * const mail = await pendingMail();
   * ```
   */
  (provider?: ProviderId): Promise<MailStatus | null>;
  /**
   * In an API route of the Pages Router.
   *
   * ```ts
   * const mail = await pendingMail(req, res);
   * ```
   */
  (request: NextApiRequest, response: NextApiResponse, provider?: ProviderId): Promise<MailStatus | null>;
  /**
   * In `getServerSideProps`.
   *
   * ```ts
   * export const getServerSideProps = async (context) => ({ props: { mail: await pendingMail(context) } });
   * ```
   */
  (context: GetServerSidePropsContext, provider?: ProviderId): Promise<MailStatus | null>;
}

/** Creates `pendingMail`, which distinguishes its forms by the parameters. */
export function pendingMailOf(source: ConfigSource): PendingMail {
  const pendingMail = async (...given: readonly unknown[]): Promise<MailStatus | null> => {
    const [first, second] = given;
    const provider = given.findLast((value) => typeof value === 'string');
    if (first === undefined || first === provider) return pendingMailHere(source, provider);
    const visit = pagesVisit(first, second === provider ? undefined : second);
    if (!visit)
      throw new TypeError('pendingMail() takes nothing, req and res, or a context; then the id of a provider');
    return pendingMailInPages(source, ...visit, provider);
  };
  return pendingMail;
}
