import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectOf, type Running, startPage } from './page.ts';

const toPage = { until: 'page' } as const;

describe.each(['express', 'hono', 'node'])('the tutorial docs/start/%s.md', (name) => {
  const running: { page?: Running } = {};
  beforeAll(async () => {
    running.page = await startPage(projectOf(`start/${name}.md`), 'app.ts');
  });
  afterAll(() => running.page?.stop());
  const visitor = () => (running.page as Running).visitor();

  it('shows what the page says to a visitor without a session', async () => {
    const browser = visitor();
    expect((await browser.get('/')).text()).toBe('Open /auth/signin to sign in.');
    expect((await browser.get('/account')).redirect?.pathname).toBe('/auth/signin');
    expect((await browser.get('/api/me', { headers: { 'sec-fetch-mode': 'cors' } })).status).toBe(401);
  });

  it('signs in with GitHub, returns to the page, and answers the API', async () => {
    const browser = visitor();
    const page = await browser.follow(await browser.get('/account'), toPage);
    const back = await browser.follow(await browser.submit(browser.form(page, 'signin/github')), toPage);
    expect([new URL(back.url).pathname, back.text()]).toEqual(['/account', 'This is the account of ada@example.com.']);
    expect((await browser.get('/')).text()).toBe('Hello Ada Lovelace');
    expect((await browser.get('/api/me')).json()).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
    expect(browser.rejected).toEqual([]);
  });

  it('signs out', async () => {
    const browser = visitor();
    const page = await browser.get('/auth/signin');
    await browser.follow(await browser.submit(browser.form(page, 'signin/github')), toPage);
    await browser.submit(browser.form(await browser.get('/auth/signout')));
    expect((await browser.get('/')).text()).toBe('Open /auth/signin to sign in.');
  });
});
