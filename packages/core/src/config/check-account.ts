import { AuthError, MissingAdapter } from '../errors.ts';
import type { AccountFeature } from '../types/account.ts';
import type { AuthConfig } from '../types/config.ts';
import { readableProviders } from './provider-options.ts';

const FEATURES: readonly AccountFeature[] = ['email', 'delete', 'export', 'mails'];

/** Checks the option `account`. */
export function checkAccount(config: AuthConfig): AuthError[] {
  const { account, adapter } = config;
  const without: readonly string[] = typeof account === 'object' ? (account.without ?? []) : [];
  const problems = without
    .filter((name) => !FEATURES.some((feature) => feature === name))
    .map(
      (name) =>
        new AuthError(`\`account.without\` must not contain ${JSON.stringify(name)}. Use ${FEATURES.join(', ')}`),
    );
  if (!adapter) problems.push(new MissingAdapter('`account` needs an `adapter`. Add one, or remove `account`'));
  if (!without.includes('mails') && !canSendMails(config)) {
    problems.push(
      new AuthError(
        "`account` sends mails. Add a built-in email provider, set `mail.send`, or add 'mails' to `account.without`",
      ),
    );
  }
  return problems;
}

/** The sender of an application's own email provider may only be able to send links. */
function canSendMails({ providers, mail }: AuthConfig): boolean {
  if (mail?.send) return true;
  return readableProviders({ providers }).some((provider) => provider.type === 'email' && provider.sendMail);
}
