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

function canSendMails({ providers }: AuthConfig): boolean {
  return readableProviders({ providers }).some(({ type }) => type === 'email');
}
