import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { checkBasics } from '../../src/config/check.ts';
import { settingsFor } from '../../src/config/settings.ts';
import Loops from '../../src/providers/loops.ts';
import Resend from '../../src/providers/resend.ts';
import type { AuthConfig } from '../../src/types/config.ts';

const send = async (): Promise<void> => undefined;
const own = { id: 'own', name: 'Own', type: 'email', sendVerificationRequest: send } as const;

function problemsOf(config: Partial<AuthConfig>): string[] {
  const whole: AuthConfig = {
    secret: 'x'.repeat(32),
    trustHost: true,
    adapter: memoryAdapter(),
    providers: [],
    account: {},
    ...config,
  };
  const { problems } = checkBasics(whole, settingsFor(whole).checksNeeded, new URL('https://app.test/auth'));
  return problems.map(({ message }) => message.replace(/\. See @latchkey.*$/, ''));
}

const PROBLEM =
  "`account` sends mails. Add a built-in email provider, set `mail.send`, or add 'mails' to `account.without`";

describe('the mails of `account`', () => {
  it.each<[string, Partial<AuthConfig>]>([
    ['without a provider', {}],
    ['with Loops, whose mails have a text of their own', { providers: [Loops({ transactionalId: 't' })] }],
    ['with a provider of the application', { providers: [own] }],
    [
      'with a built-in provider whose sign-in mails the application sends',
      { providers: [Resend({ sendVerificationRequest: send })] },
    ],
    ['with the sender alone', { mail: { from: 'security@acme.example' } }],
  ])('cannot be sent %s', (_, config) => expect(problemsOf(config)).toEqual([PROBLEM]));

  it.each<[string, Partial<AuthConfig>]>([
    ['by a built-in provider', { providers: [own, Resend] }],
    ['by a provider of the application with `sendMail`', { providers: [{ ...own, sendMail: send }] }],
    ['by `mail.send`', { mail: { send } }],
    ['or are left out', { account: { without: ['mails'] } }],
  ])('can be sent %s', (_, config) => expect(problemsOf(config)).toEqual([]));

  it('need options of the right types', () => {
    const mail: object = { from: 1, send: 'smtp' };
    expect(problemsOf({ mail }).slice(0, 2)).toEqual([
      '`mail.from` must be a string, but is of type number. Correct it, or leave it out',
      '`mail.send` must be a function, but is of type string. Correct it, or leave it out',
    ]);
  });
});
