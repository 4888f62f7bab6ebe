import type { Adapter } from '@latchkey/core/adapters';
import { tokensOf, type UserTokens } from '@latchkey/core/tokens';
import type { TokenVault } from '@latchkey/core/types';
import { type Application, application, FakeProvider } from '@latchkey/testing';
import { expect, it } from 'vitest';
import type { OpenStore } from '../store.ts';
import { person, type Strategy } from './shop.ts';

/** A store whose database has a token vault, too. */
export type OpenStoreWithVault = OpenStore & { vault(): TokenVault };

/** Provider tokens of users whose accounts are in another project's adapter. */
export function tokenFlows(store: () => OpenStoreWithVault, strategy: Strategy): void {
  it('a sign-in stores sealed tokens, and two servers refresh them once', async () => {
    const { app, fake } = openApp(store(), strategy, store().vault());
    const { userId, sub } = await signIn(app, store());
    const issued = await store().adapter.getAccount?.(sub, 'fake');
    const entry = await store().vault().read({ provider: 'fake', providerAccountId: sub });
    expect(entry?.userId).toBe(userId);
    for (const token of [issued?.access_token, issued?.refresh_token]) {
      expect(token).toMatch(/.{10}/);
      expect(entry?.sealed).not.toContain(token);
    }
    const tokens = await refreshAtOnce(app, store(), userId);
    expect(tokens).not.toContain(issued?.access_token);
    expect(tokens).toHaveLength(1);
    expect(refreshesOf(fake)).toEqual([issued?.refresh_token]);
  });

  it('the tokens of a row from before the vault are taken over, and two servers refresh them once', async () => {
    const { app, fake } = openApp(store(), strategy);
    const { userId, sub } = await signIn(app, store());
    const row = await store().adapter.getAccount?.(sub, 'fake');
    if (!row) throw new Error('the account has no row');
    const tokens = serverOf(app, store());
    await expect(tokens.get('fake', { userId })).rejects.toMatchObject({ code: 'no-account' });
    expect(await tokens.import({ ...row, userId })).toBe(true);
    expect(await tokens.import({ ...row, userId })).toBe(false);
    expect(await refreshAtOnce(app, store(), userId)).toHaveLength(1);
    expect(refreshesOf(fake)).toEqual([row.refresh_token]);
  });
}

/** An application whose first access token is valid for one second. */
function openApp({ adapter }: OpenStore, strategy: Strategy, vault?: TokenVault) {
  const fake = new FakeProvider({ signingAlgorithm: 'ES256' });
  fake.overrides.token = (answer) => ({ ...answer, expires_in: refreshesOf(fake).length > 0 ? 3600 : 1 });
  const config = { session: { strategy }, ...(vault && { tokens: { store: vault } }) };
  return { fake, app: application({ adapter, provider: fake, config }) };
}

async function signIn(app: Application<Adapter>, { adapter }: OpenStore): Promise<{ userId: string; sub: string }> {
  const { sub, ...claims } = person();
  await app.signIn({ consent: { user: { sub, ...claims } } });
  expect(app.log.errors).toEqual([]);
  const user = await adapter.getUserByAccount?.({ provider: 'fake', providerAccountId: sub });
  return { userId: String(user?.id), sub };
}

/** The tokens as another server has them: only the database is shared. */
function serverOf(app: Application<Adapter>, store: OpenStoreWithVault): UserTokens {
  return tokensOf({ ...app.config, tokens: { store: store.vault() } }, {});
}

/** Waits until the access token has expired, and returns the different results of calls on two servers. */
async function refreshAtOnce(app: Application<Adapter>, store: OpenStoreWithVault, userId: string): Promise<string[]> {
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const servers = [serverOf(app, store), serverOf(app, store)];
  const calls = servers.flatMap((tokens) => Array.from({ length: 20 }, () => tokens.get('fake', { userId })));
  return [...new Set((await Promise.all(calls)).map(({ accessToken }) => accessToken))];
}

/** The refresh tokens that the provider has received. */
function refreshesOf(fake: FakeProvider): (string | null)[] {
  const forms = fake.requests.filter(({ endpoint }) => endpoint === 'token').map(({ form }) => form);
  return forms.filter((form) => form.get('grant_type') === 'refresh_token').map((form) => form.get('refresh_token'));
}
