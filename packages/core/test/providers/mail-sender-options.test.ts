import { afterEach, describe, expect, it, vi } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import Loops from '../../src/providers/loops.ts';
import MailGun from '../../src/providers/mailgun.ts';
import { doors } from '../flows/doors.ts';
import { mailStore } from '../flows/email-scene.ts';
import { expectConfiguration, scene } from '../flows/scene.ts';
import { MailDesk, mailApis } from './mail-apis.ts';

const address = 'ada@example.com';
const KEY = 'key_9f3Kd-0123456789';
const [door] = doors as [(typeof doors)[0]];

afterEach(() => void vi.unstubAllGlobals());

describe('without a sender', () => {
  it.each(mailApis.filter(({ file }) => file !== 'loops'))('$file writes from the host of the site', async (api) => {
    const desk = new MailDesk({ ...api, url: api.url.replace('acme.example', 'localhost') }, KEY);
    vi.stubGlobal('fetch', desk.fetch);
    const config = { adapter: mailStore().adapter, providers: [api.factory({ apiKey: KEY })] };
    await scene(door, config).post(`signin/${api.file}`, { email: address });
    expect(desk.problems).toEqual([]);
    expect(desk.mails[0]?.from?.address).toBe('no-reply@localhost');
  });
});

describe('Mailgun', () => {
  const api = mailApis.find(({ file }) => file === 'mailgun') ?? expect.unreachable();

  it.each([
    [undefined, 'api.mailgun.net'],
    ['US', 'api.mailgun.net'],
    ['EU', 'api.eu.mailgun.net'],
  ] as const)('asks the region %s at %s', async (region, host) => {
    const desk = new MailDesk({ ...api, url: `https://${host}/v3/mg.acme.example/messages` }, KEY);
    vi.stubGlobal('fetch', desk.fetch);
    const provider = MailGun({ apiKey: KEY, region, from: 'a@mg.acme.example', name: 'Acme' });
    await scene(door, { adapter: mailStore().adapter, providers: [provider] }).post('signin/mailgun', {
      email: address,
    });
    expect(desk.problems).toEqual([]);
    // The name of the provider stands for the one that `from` does not give.
    expect(desk.mails[0]?.from).toEqual({ address: 'a@mg.acme.example', name: 'Acme' });
  });

  it('knows no other region', () => {
    expect(() => MailGun({ region: 'eu' as 'EU' })).toThrow('Mailgun has no region "eu". Set `region` to "US" or "EU"');
    expect(() => MailGun({ region: 'constructor' as 'EU' })).toThrow(AuthError);
  });
});

describe('Loops', () => {
  it('needs the id of a mail', async () => {
    const desk = new MailDesk(mailApis.find(({ file }) => file === 'loops') ?? expect.unreachable(), KEY);
    vi.stubGlobal('fetch', desk.fetch);
    const site = scene(door, { adapter: mailStore().adapter, providers: [Loops({ apiKey: KEY })] });
    expectConfiguration(site, await site.post('signin/loops', { email: address }));
    expect(site.log.errors[0]?.message).toContain('Set `transactionalId`');
    expect(desk.asked).toEqual([]);
  });
});
