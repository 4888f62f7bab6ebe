import { type Application, application, type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/context.ts';
import type { EmailConfig } from '../../src/providers/email.ts';

const EVE = 'eve@evil.example';

/** An application with a provider, and with links that sign in when they are opened. */
function makeSite(strategy: 'jwt' | 'database', call: CallOptions = {}) {
  const links: string[] = [];
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: ({ url }) => void links.push(url),
  };
  const app: Application<MemoryAdapter> = application({
    adapter: memoryAdapter() as MemoryAdapter,
    call,
    config: ({ provider }) => ({ providers: [provider.provider(), mail], session: { strategy } }),
  });
  const request = async (email: string, browser = app.browser): Promise<string> => {
    await app.post('signin/mail', { email }, browser);
    return links.at(-1) ?? '';
  };
  return { app, links, request };
}

describe.each(['jwt', 'database'] as const)('a session by a mailed link (%s)', (strategy) => {
  it('that an attacker has requested gets no account of the person who opens the link', async () => {
    const { app, request } = makeSite(strategy);
    await app.open(await request(EVE, app.visitor()));
    expect(await app.session()).toMatchObject({ user: { email: EVE } });
    const page = await app.signIn();
    expect(page.location).toContain('error=OAuthAccountNotLinked');
    expect(app.adapter.dump()).toMatchObject({ users: [{ email: EVE }], accounts: [] });
  });

  it('gets no account either if the attacker has changed the link', async () => {
    const { app, request } = makeSite(strategy);
    const link = new URL(await request(EVE, app.visitor()));
    const own = new URL(await request('ada@example.com'));
    link.searchParams.set('browser', own.searchParams.get('browser') ?? '');
    await app.open(link.href);
    await app.signIn();
    expect(app.adapter.dump().accounts).toEqual([]);
  });

  it('that this browser has requested gets the account, also after a sign-out', async () => {
    const { app, request } = makeSite(strategy);
    await app.open(await request('ada@example.com'));
    await app.signOut();
    await app.open(await request('ada@example.com'));
    await app.signIn();
    expect(app.adapter.dump()).toMatchObject({
      users: [{ email: 'ada@example.com' }],
      accounts: [{ provider: 'fake' }],
    });
  });

  it('belongs to the browser that has requested it, also where forms carry no token', async () => {
    const { app, links } = makeSite(strategy, { forms: 'same-origin' });
    const other = app.visitor();
    await app.browser.post('/auth/signin/mail', { email: 'ada@example.com' });
    await other.post('/auth/signin/mail', { email: EVE });
    const [own = '', foreign = ''] = links;
    await app.open(own);
    expect(app.browser.cookies.has('authjs.browser')).toBe(true);
    const third = app.visitor();
    await app.open(foreign, third);
    expect(third.cookies.has('authjs.browser')).toBe(false);
    expect(await app.session(third)).toMatchObject({ user: { email: EVE } });
  });
});
