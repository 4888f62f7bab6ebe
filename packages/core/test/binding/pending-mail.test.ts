import { pendingMail, signIn } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { mailStore, type Sent } from '../flows/email-scene.ts';
import { destination, origin, type Visitor, visitor } from './visitor.ts';

const email = 'ada@example.com';
const address = { email, redirectTo: '/in' };
const page = `${origin}/auth/verify-request?provider=mail&type=email`;

/** A visitor of an application that mails codes. */
interface MailVisitor extends Visitor {
  readonly store: ReturnType<typeof mailStore>;
  readonly sent: Sent[];
  signIn(fields: Record<string, unknown>): Promise<string>;
  pendingMail(provider?: string): ReturnType<typeof pendingMail>;
}

function mailVisitor(provider: Partial<EmailConfig> = { code: true }, config: Partial<AuthConfig> = {}): MailVisitor {
  const store = mailStore();
  const sent: Sent[] = [];
  const sendVerificationRequest = (params: Sent) => void sent.push(params);
  const mail: EmailConfig = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest, ...provider };
  const ada = visitor({ providers: [mail], adapter: store.adapter, ...config });
  return {
    ...ada,
    store,
    sent,
    signIn: (fields) => destination(signIn(ada.configured, ada.host(), 'mail', fields)),
    pendingMail: (id) => {
      const cookie = ada.host().headers.get('cookie') ?? undefined;
      return pendingMail(ada.configured, { origin, cookie }, id);
    },
  };
}

const codeOf = ({ sent }: MailVisitor): string => sent.at(-1)?.code ?? expect.unreachable();
const otherCode = (ada: MailVisitor): string => String((Number(codeOf(ada)) + 1) % 1e8).padStart(8, '0');

describe('pendingMail', () => {
  it('has the facts of the mail, without a call of the store and without cookies', async () => {
    const ada = mailVisitor();
    await ada.signIn(address);
    const at = (seconds: number): string => new Date(ada.clock.now().getTime() + seconds * 1000).toISOString();
    const facts = { email, code: true, sentAt: at(0), resendAt: at(60), expires: at(900) };
    ada.store.forget();
    ada.set.length = 0;
    expect([await ada.pendingMail(), await ada.pendingMail('mail')]).toEqual([facts, facts]);
    expect([ada.store.names(), ada.set]).toEqual([[], []]);
  });

  it.each([
    ['no mail was requested', { code: true }, undefined, 0],
    ['the mail has expired', { code: true }, undefined, 960],
    ['the mail is of another provider', { code: true }, 'other', 0],
    ['the provider does not recognize browsers', {}, undefined, 0],
  ])('is null if %s', async (title, provider, id, seconds) => {
    const ada = mailVisitor(provider);
    if (!title.startsWith('no mail')) await ada.signIn(address);
    ada.clock.advance(seconds);
    expect(await ada.pendingMail(id)).toBeNull();
  });

  it('throws if the configuration has a problem', async () => {
    await expect(mailVisitor({ code: true }, { secret: '' }).pendingMail()).rejects.toThrow(AuthError);
  });
});

describe('signIn with the code of a mail', () => {
  it('starts a session, and goes where the request for the mail said', async () => {
    const ada = mailVisitor();
    expect(await ada.signIn(address)).toBe(`${page}&code=1`);
    expect(await ada.signIn({ code: codeOf(ada) })).toBe(`${origin}/in`);
    expect(await ada.session()).toMatchObject({ user: { email } });
    expect(await ada.pendingMail()).toBeNull();
  });

  it('goes to another page if `redirectTo` names one, and returns its address with `redirect: false`', async () => {
    const ada = mailVisitor();
    await ada.signIn(address);
    const fields = { code: codeOf(ada), redirectTo: '/other', redirect: false };
    expect(await signIn(ada.configured, ada.host(), 'mail', fields)).toBe(`${origin}/other`);
    expect(await ada.session()).toMatchObject({ user: { email } });
  });

  it('goes to the page that asks for the code if the code is wrong, until only a new mail helps', async () => {
    const ada = mailVisitor();
    await ada.signIn(address);
    for (let wrong = 1; wrong < 5; wrong++) {
      expect(await ada.signIn({ code: otherCode(ada) })).toBe(`${page}&code=1&error=Verification`);
    }
    const fields = { code: otherCode(ada), redirect: false };
    expect(await signIn(ada.configured, ada.host(), 'mail', fields)).toBe(`${page}&error=Verification`);
    expect(await ada.pendingMail()).toMatchObject({ email, code: false });
    expect(await ada.signIn({ code: codeOf(ada) })).toBe(`${page}&error=Verification`);
    expect(await ada.session()).toBeNull();
  });

  it('goes to the sign-in page after too many attempts', async () => {
    const ada = mailVisitor({ code: true }, { rateLimit: { network: { limit: 2, window: 60 } } });
    await ada.signIn(address);
    const attempt = () =>
      destination(signIn(ada.configured, ada.host({ clientAddress: '203.0.113.7' }), 'mail', { code: otherCode(ada) }));
    await attempt();
    await attempt();
    expect(await attempt()).toBe(`${origin}/auth/signin?error=RateLimited&provider=mail&retryAfter=60`);
  });

  it('is refused if the form comes from another site', async () => {
    const ada = mailVisitor();
    await ada.signIn(address);
    const headers = new Headers([...ada.host().headers, ['origin', 'https://evil.example']]);
    const host = ada.host({ headers, forms: 'same-origin' });
    const to = await destination(signIn(ada.configured, host, 'mail', { code: codeOf(ada) }));
    expect(new URL(to).searchParams.get('error')).toBe('MissingCSRF');
    expect(await ada.session()).toBeNull();
  });

  it('throws if the configuration has a problem', async () => {
    const ada = mailVisitor({ code: true }, { secret: '' });
    await expect(ada.signIn({ code: '12345678' })).rejects.toThrow(/AUTH_SECRET \(`secret`\) is not set/);
  });
});

describe('signIn without an address', () => {
  it('sends the pending mail again, and keeps its destination', async () => {
    const ada = mailVisitor();
    await ada.signIn(address);
    ada.clock.advance(61);
    expect(await ada.signIn({})).toBe(`${page}&code=1`);
    expect(ada.sent.map(({ identifier, code }) => [identifier, code])).toEqual(Array(2).fill([email, codeOf(ada)]));
    expect(await ada.signIn({ code: codeOf(ada) })).toBe(`${origin}/in`);
  });

  it('goes to the sign-in page if no mail is pending', async () => {
    expect(await mailVisitor().signIn({})).toBe(`${origin}/auth/signin?error=EmailSignin`);
  });

  it('mails a link if the form has an address and a field `code`', async () => {
    const ada = mailVisitor();
    expect(await ada.signIn({ ...address, code: 'invitation' })).toBe(`${page}&code=1`);
    expect(ada.sent).toHaveLength(1);
  });
});
