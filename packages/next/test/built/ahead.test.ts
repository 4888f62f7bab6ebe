import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cookieOf, secret } from '../site.ts';
import { build, type Served, serve } from './next-application.ts';
import { browse, shown } from './visit.ts';

const application = {
  folder: fileURLToPath(new URL('../apps/ahead', import.meta.url)),
  next: fileURLToPath(new URL('../../../../node_modules/next', import.meta.url)),
};
const box: { served?: Served } = {};
const served = (): Served => box.served as Served;

beforeAll(async () => {
  await build(application);
  box.served = await serve(application, { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' });
});
afterAll(() => box.served?.stop());

it('pages that are made ahead of a visit show each visitor their own session, and Next logs no error', async () => {
  for (const name of ['Ada', undefined, 'Bob', 'Ada']) {
    const headers = name === undefined ? {} : { cookie: await cookieOf({ name, sub: name }) };
    const page = await browse(served()).get('/', { headers });
    expect(page.text()).toContain('one moment');
    const session = name === undefined ? null : expect.objectContaining({ user: expect.objectContaining({ name }) });
    expect([shown(page, 'session'), shown(page, 'kept')]).toEqual([session, session]);
  }
  // Next prerenders while it sends the page, and perhaps a little later.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(served().log()).not.toMatch(/encountered|error/i);
});
