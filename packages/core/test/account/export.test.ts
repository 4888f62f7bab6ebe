import { describe, expect, it } from 'vitest';
import { changesSite, useMailbox } from './changes-scene.ts';
import { change } from './scene.ts';

const mail = useMailbox();

describe('the export of an account', () => {
  it('has the user, the ways to sign in and the sessions, without anything that opens them', async () => {
    const account = { exportMore: async ({ id }: { id: string }) => ({ orders: [{ owner: id }] }) };
    const app = changesSite('jwt with records', mail, { account });
    await app.signIn();
    const page = await app.post('account/export');
    expect(page.headers.get('content-type')).toBe('application/json');
    expect(page.headers.get('content-disposition')).toBe('attachment; filename="account.json"');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('cache-control')).toContain('no-store');
    const { users, accounts } = app.adapter.dump();
    const [user] = users;
    const exported = page.json<Record<string, unknown>>();
    expect(exported).toEqual({
      user: {
        id: user?.id,
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        emailVerified: null,
        image: user?.image ?? null,
      },
      accounts: [
        {
          provider: 'fake',
          providerAccountId: accounts[0]?.providerAccountId,
          type: 'oidc',
          label: 'ada@example.com',
          createdAt: app.clock.now().toISOString(),
        },
      ],
      passkeys: [],
      sessions: [expect.objectContaining({ provider: 'fake', startedAt: app.clock.now().toISOString() })],
      more: { orders: [{ owner: user?.id }] },
    });
    for (const secret of ['access_token', 'id_token', 'handle', String(accounts[0]?.access_token)]) {
      expect(page.text()).not.toContain(secret);
    }
    expect((await change(app, 'export')).json()).toEqual(exported);
  });

  it('needs a recent sign-in', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    app.clock.advance(601);
    expect((await change(app, 'export')).json()).toMatchObject({ error: 'RecentSignInRequired' });
  });

  it('has at most 1 MiB', async () => {
    const sizes = [1_000_000, 1_048_576];
    const app = changesSite('database', mail, {
      account: { exportMore: async () => ({ text: 'x'.repeat(sizes.shift() ?? 0) }) },
    });
    await app.signIn();
    expect((await change(app, 'export')).status).toBe(200);
    expect((await change(app, 'export')).status).toBe(500);
    expect(app.log.errors[0]?.message).toContain('Return less from `account.exportMore`');
  });
});
