import { describe, expect, it } from 'vitest';
import type { VerificationToken } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { byTokenAlone, changed, mailScene, mailStore } from './email-scene.ts';
import { leadsTo, startsSession } from './scene.ts';

const address = 'ada@example.com';
const bare = (link: string): string => changed(link, { email: undefined });

describe.each(oneDoor)('a link without the address, through $name', (door) => {
  const config: Partial<AuthConfig> = { session: { strategy: 'jwt' } };

  it.each([undefined, ''])('signs in the user to whom it was mailed, once (email=%j)', async (email) => {
    const app = mailScene(door, config, { store: byTokenAlone() });
    const link = changed(await app.link(address), { email });
    expect(leadsTo(await app.open(link))).toBe('/in');
    expect(await app.session()).toMatchObject({ user: { email: address } });
    const again = await app.open(link, app.visitor());
    expect(leadsTo(again)).toBe('/auth/error?error=Verification');
    expect(startsSession(again)).toBe(false);
  });

  it('is refused after its expiry', async () => {
    const store = byTokenAlone();
    const app = mailScene(door, config, { store });
    const link = bare(await app.link(address));
    app.clock.advance(86_401);
    expect(leadsTo(await app.open(link))).toBe('/auth/error?error=Verification');
    expect(app.log.errors[0]?.cause).toMatchObject({ found: true, expired: true, hasAddress: false });
  });

  it('shows the page of `confirm` without an address', async () => {
    const app = mailScene(door, config, { store: byTokenAlone(), provider: { confirm: true } });
    const page = await app.open(bare(await app.link(address)));
    expect(page.status).toBe(200);
    expect(page.text()).toContain('you are signed in.');
    const form = app.browser.form(page);
    expect(form.fields).not.toHaveProperty('email');
    expect(leadsTo(await app.browser.submit(form))).toBe('/in');
    expect(await app.session()).toMatchObject({ user: { email: address } });
  });

  it('is refused if the store needs the address, and works with the address', async () => {
    const app = mailScene(door, config);
    const link = await app.link(address);
    expect(leadsTo(await app.open(bare(link)))).toBe('/auth/error?error=Verification');
    expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it('is refused if its token can be guessed: a guess would match the tokens of all addresses', async () => {
    const app = mailScene(door, config, {
      store: byTokenAlone(),
      provider: { generateVerificationToken: () => '123456' },
    });
    const link = await app.link(address);
    expect(leadsTo(await app.open(bare(link), app.visitor()))).toBe('/auth/error?error=Verification');
    expect(app.log.errors[0]?.message).toMatch('needs the address');
    expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it('is refused if the store throws without the address, and the log has the reason', async () => {
    const store = mailStore();
    const use = store.adapter.useVerificationToken;
    store.adapter.useVerificationToken = async (params) => {
      if (params.identifier === undefined) throw new Error('Argument `identifier` is missing.');
      return (await use?.(params)) ?? null;
    };
    const app = mailScene(door, config, { store });
    const link = await app.link(address);
    expect(leadsTo(await app.open(bare(link)))).toBe('/auth/error?error=Verification');
    expect(app.log.types()).toEqual(['Verification']);
    expect(app.log.errors[0]?.message).toMatch('the store finds no token without the address');
    expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it.each<[string, (token: string) => object]>([
    ['another token', () => ({ token: 'f'.repeat(64), identifier: address })],
    ['none', () => ({ identifier: address })],
    ['no address', (token) => ({ token })],
    ['no text for an address', (token) => ({ token, identifier: { contains: '@' } })],
    ['two lines for an address', (token) => ({ token, identifier: `${address}\nbcc: eve@example.com` })],
  ])('is refused if the store returns a row that has %s', async (_, rowOf) => {
    const store = mailStore();
    store.adapter.useVerificationToken = async ({ token }) =>
      ({ expires: new Date(8.64e15), ...rowOf(token) }) as VerificationToken;
    const app = mailScene(door, config, { store });
    const page = await app.open(bare(await app.link(address)));
    expect(leadsTo(page)).toBe('/auth/error?error=Verification');
    expect(startsSession(page)).toBe(false);
    expect(store.users.size).toBe(0);
  });
});
