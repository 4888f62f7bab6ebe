import { describe, expect, it } from 'vitest';
import { latchkey, peer } from '../peers/libraries.ts';
import { crossings, makeSite } from './servers.ts';

const newest = 'the secret of today, also 32 chars..';
const older = 'the secret of yesterday, 32 characters';

describe.each(crossings)('a form $title', ({ from, to }) => {
  it('is accepted', async () => {
    const site = makeSite();
    site.use(from);
    const csrfToken = await site.csrfToken();
    site.use(to);
    const sent = await site.browser.post('/auth/signin/idp', { csrfToken });
    expect(sent.redirect?.origin).toBe('https://idp.test');
    expect(sent.cookie('authjs.csrf-token')).toBeUndefined();
  });

  it('is accepted on https, where the cookie has another name', async () => {
    const site = makeSite({ origin: 'https://app.test' });
    site.use(from);
    const csrfToken = await site.csrfToken();
    expect(site.browser.cookies.has('__Host-authjs.csrf-token')).toBe(true);
    site.use(to);
    const sent = await site.browser.post('/auth/signin/idp', { csrfToken });
    expect(sent.redirect?.origin).toBe('https://idp.test');
  });

  it('is refused with the token of another visitor', async () => {
    const site = makeSite();
    const other = makeSite();
    site.use(from);
    other.use(from);
    await site.csrfToken();
    const csrfToken = await other.csrfToken();
    site.use(to);
    const refused = await site.browser.post('/auth/signin/idp', { csrfToken });
    expect(refused.location).toBe('http://localhost:3000/auth/signin?error=MissingCSRF');
  });
});

describe('a CSRF cookie', () => {
  it('that Auth.js has made of a list of secrets is accepted by Latchkey with the same list', async () => {
    const site = makeSite({ config: { secret: [newest, older] } });
    site.use(peer);
    const token = await site.csrfToken();
    site.use(latchkey);
    expect(await site.csrfToken()).toBe(token);
  });

  it('that Auth.js has made is accepted by Latchkey after a new secret was put before', async () => {
    for (const before of [older, [older, 'an even older secret of 32 characters']]) {
      const list = [newest, ...(typeof before === 'string' ? [before] : before)];
      const site = makeSite({ config: (library) => ({ secret: library === peer ? before : list }) });
      site.use(peer);
      const token = await site.csrfToken();
      site.use(latchkey);
      expect(await site.csrfToken()).toBe(token);
    }
  });

  it('that Latchkey has made of a list of secrets is accepted by Auth.js with the newest alone', async () => {
    const site = makeSite({ config: (library) => ({ secret: library === peer ? newest : [newest, older] }) });
    site.use(latchkey);
    const token = await site.csrfToken();
    site.use(peer);
    expect(await site.csrfToken()).toBe(token);
  });
});
