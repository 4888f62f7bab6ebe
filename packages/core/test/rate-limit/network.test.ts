import { describe, expect, it } from 'vitest';
import { clientNetwork, isPrivate, networkOf } from '../../src/rate-limit/network.ts';
import { mailScene } from '../flows/email-scene.ts';
import { door, limitedScene } from './scene.ts';

describe('the network of an address', () => {
  it.each(
    // biome-ignore format: a list to be read across
    [
      ['192.0.2.1', '192.0.2.1'], [' 192.0.2.1 ', '192.0.2.1'], ['192.0.2.1:51234', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'], ['::FFFF:c000:0201', '192.0.2.1'], ['[::ffff:192.0.2.1]:51234', '192.0.2.1'],
      ['64:ff9b::192.0.2.1', '192.0.2.1'], ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'], ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
      ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'], ['2001:db8:1:2::9%eth0', '2001:db8:1:2::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'], ['::1', '0:0:0:0::/64'], ['fe80::1%en0', 'fe80:0:0:0::/64'],
    ],
  )('%s is %s', (address, network) => expect(networkOf(address)).toBe(network));

  it.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    'localhost',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '0x7f.0.0.1',
    '3221225985',
    '192.0.2.1.5',
    '192.0.2.1/24',
    '192.0.2.1, 192.0.2.2',
    ':::',
    '1::2::3',
    '2001:db8::g',
    '[2001:db8::1',
    '2001:db8::1]',
    '2001:db8:1:2:3:4:5:6:7',
    '[::1]@evil',
    '[::1]/x',
    '\n',
    'a'.repeat(100_000),
    ':'.repeat(100_000),
  ])('is undefined for %.30j', (garbage) => expect(networkOf(garbage)).toBeUndefined());

  it.each(
    // biome-ignore format: a list to be read across
    [
      '127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.9.9', '192.168.1.1', '169.254.1.1', '100.64.0.1', '0.0.0.0',
      '::1', 'fd00::1', 'fc12::1', 'fe80::1', 'febf::1', '::ffff:10.0.0.1',
    ],
  )('%s is private', (address) => expect(isPrivate(networkOf(address) ?? '')).toBe(true));

  it.each(
    // biome-ignore format: a list to be read across
    [
      '8.8.8.8', '172.32.0.1', '172.15.0.1', '100.128.0.1', '100.63.0.1', '192.169.0.1', '2001:db8::1', 'ff02::1',
      'fec0::1',
    ],
  )('%s is public', (address) => expect(isPrivate(networkOf(address) ?? '')).toBe(false));
});

describe('the network of a request', () => {
  const address = '203.0.113.9';
  it.each<[string, Parameters<typeof clientNetwork>[0], string | undefined]>([
    ['the host framework', { address, forwarded: '192.0.2.1', hops: undefined }, address],
    ['the host framework, without proxies', { address, forwarded: '192.0.2.1', hops: 0 }, address],
    ['no network', { address: undefined, forwarded: '192.0.2.1', hops: undefined }, undefined],
    [
      'a private address, which identifies no visitor',
      { address: '10.0.0.1', forwarded: undefined, hops: undefined },
      undefined,
    ],
    ['a private address, where there is no proxy', { address: '10.0.0.1', forwarded: undefined, hops: 0 }, '10.0.0.1'],
    ['one proxy', { address: '10.0.0.1', forwarded: '6.6.6.6, 192.0.2.1', hops: 1 }, '192.0.2.1'],
    ['two proxies', { address, forwarded: '6.6.6.6,192.0.2.1, 192.0.2.2', hops: 2 }, '192.0.2.1'],
    ['one proxy in a private network', { address, forwarded: '10.0.0.7', hops: 1 }, '10.0.0.7'],
    ['fewer proxies than there are', { address, forwarded: '192.0.2.1', hops: 2 }, address],
    ['no proxy though there is one', { address, forwarded: undefined, hops: 1 }, address],
    ['a proxy that tells no address', { address, forwarded: 'unknown', hops: 1 }, undefined],
    ['a header that must not be trusted', { address, forwarded: ',,,,', hops: undefined }, address],
  ])('follows from %s', (_, whence, network) => expect(clientNetwork(whence)).toBe(network));
});

describe('attempts from one network', () => {
  const from = (clientAddress: string) => ({ call: { clientAddress } });

  it('are a hundred failures in 15 minutes, for all names together', async () => {
    const app = limitedScene(undefined, {}, from('2001:db8:1:2::1'));
    for (let index = 0; index < 100; index++) expect((await app.attempt(`name ${index}`)).status).toBe(302);
    const page = await app.attempt('one more', 'right');
    expect([page.status, app.asked.count]).toEqual([429, 100]);
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ by: 'network' });
    const neighbor = limitedScene(undefined, {}, from('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect((await neighbor.attempt('neighbor')).status).toBe(429);
    const stranger = limitedScene(undefined, {}, from('2001:db8:1:3::1'));
    expect((await stranger.attempt('stranger')).status).toBe(302);
  });

  it('are ten times as many from an IPv6 /48, for all of its networks together', async () => {
    const rateLimit = { network: { limit: 2 } };
    const statuses: number[] = [];
    for (let network = 0; network < 21; network++) {
      const app = limitedScene(rateLimit, {}, from(`2001:db8:7:${network.toString(16)}::1`));
      statuses.push((await app.attempt(`name ${network}`)).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(302), 429]);
    const stranger = limitedScene(rateLimit, {}, from('2001:db8:8::1'));
    expect((await stranger.attempt('stranger')).status).toBe(302);
  });

  it('that succeed do not count', async () => {
    const app = limitedScene({ network: { limit: 2 } }, {}, from('192.0.2.7'));
    for (let time = 0; time < 5; time++) expect((await app.attempt(`name ${time}`, 'right')).status).toBe(302);
  });

  it('do not count for the name if the network is blocked', async () => {
    const rateLimit = { network: { limit: 1 }, credentials: { limit: 1 } };
    const blocked = limitedScene(rateLimit, {}, from('192.0.2.8'));
    await blocked.attempt('grace');
    expect((await blocked.attempt('ada')).status).toBe(429);
    const elsewhere = limitedScene(rateLimit, {}, from('192.0.2.9'));
    expect((await elsewhere.attempt('ada')).status).toBe(302);
  });

  it('do not count for the network if the name is blocked', async () => {
    const app = limitedScene({ network: { limit: 2 }, credentials: { limit: 1 } }, {}, from('192.0.2.10'));
    await app.attempt('ada');
    for (let time = 0; time < 5; time++) expect((await app.attempt('ada')).status).toBe(429);
    expect((await app.attempt('grace')).status).toBe(302);
  });

  it("are not counted if the address may be a proxy's, or with `network: false`", async () => {
    for (const app of [
      limitedScene({ network: { limit: 1 } }, {}, from('::ffff:127.0.0.1')),
      limitedScene({ network: false }, {}, from('192.0.2.11')),
    ]) {
      for (let time = 0; time < 3; time++) expect((await app.attempt(`name ${time}`)).status).toBe(302);
    }
  });

  it('are recognized by X-Forwarded-For only as far as proxies are trusted', async () => {
    const app = limitedScene({ network: { limit: 1 }, trustedProxyHops: 1 });
    const attempt = async (forwarded: string, username: string) => {
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      const headers = { 'x-forwarded-for': forwarded };
      return (await app.browser.post('/auth/callback/credentials', { csrfToken, username }, { headers })).status;
    };
    expect(await attempt('1.1.1.1, 192.0.2.12', 'a')).toBe(302);
    expect(await attempt('2.2.2.2, 192.0.2.12', 'b')).toBe(429);
    expect(await attempt('1.1.1.1, 192.0.2.13', 'c')).toBe(302);
  });

  it('count for mails, too, separately from failures', async () => {
    const rateLimit = { network: { limit: 2 } };
    const app = mailScene(door, { rateLimit }, from('192.0.2.14'));
    for (const name of ['a', 'b', 'c']) await app.ask(`${name}@example.com`);
    expect(app.sent).toHaveLength(2);
    const other = limitedScene(rateLimit, {}, from('192.0.2.14'));
    expect((await other.attempt('ada')).status).toBe(302);
  });
});
