import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { filesOf, projectOf, settings, startPage } from '../../../test/docs/page.ts';

const folder = join(import.meta.dirname, '..');
const toPage = { until: 'page' } as const;

it('docs/frameworks/koa.md shows the file of the example', () => {
  const shown = filesOf('frameworks/koa.md').get('koa-auth.ts');
  expect(shown).toBe(`// koa-auth.ts\n${readFileSync(join(folder, 'koa-auth.ts'), 'utf8')}`);
});

it('the application of docs/frameworks/koa.md signs in, and guards its account', async () => {
  const project = projectOf('frameworks/koa.md', {}, { parent: join(folder, 'build') });
  const running = await startPage(project, 'app.ts', settings);
  onTestFinished(() => running.stop());
  const browser = running.visitor();
  expect((await browser.get('/account', { mode: 'cors' })).status).toBe(401);
  const page = await browser.follow(await browser.get('/account'), toPage);
  const account = await browser.follow(await browser.submit(browser.form(page, 'signin/github')), toPage);
  expect(account.json()).toMatchObject({ name: 'Ada Lovelace' });
  expect((await browser.post('/name', { name: 'Ada' })).status).toBe(200);
  expect((await browser.post('/sign-out')).redirect?.pathname).toBe('/');
  expect((await browser.get('/')).json()).toEqual({ session: null });
});
