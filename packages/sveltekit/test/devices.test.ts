import { MemorySessionRecords } from '@latchkey/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from './kit/journey.ts';
import { config, play } from './kit/scene.ts';
import { app, type Kit, shown, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
});
beforeEach(() => play(config({ session: { records: { store: MemorySessionRecords() } } })));

describe('sessions(event)', () => {
  it('lists the sessions in a load function, on a page that shared caches do not keep', async () => {
    const browser = await signedIn(kit.browser());
    const page = await browser.get('/shop/devices');
    expect(shown(page)).toMatchObject({ sessions: [{ current: true }] });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(shown(await kit.browser().get('/shop/devices'))).toMatchObject({ sessions: [] });
  });

  it('ends them in form actions, and reads the session anew', async () => {
    const browser = await signedIn(kit.browser());
    const phone = await signedIn(kit.browser());
    const others = await browser.post('/shop/devices?/others');
    expect(shown(others)).toEqual({ ended: { count: 1, within: 10 } });
    expect(shown(await phone.get('/shop/devices'))).toMatchObject({ sessions: [] });
    const all = await browser.post('/shop/devices?/all');
    expect(shown(all)).toEqual({ ended: { count: 1, within: 10 }, session: null });
    expect(all.cookie('authjs.session-token')?.value).toBe('');
  });

  it('leaves the path of the list to the application, without the option', async () => {
    expect((await kit.browser().get('/shop/auth/sessions')).redirect?.pathname).toBe('/shop/auth/signin');
    play(config());
    expect((await kit.browser().get('/shop/auth/sessions')).status).toBe(404);
  });
});
