import { expect, it } from 'vitest';
import { oneDoor } from '../flows/doors.ts';
import { mailScene } from '../flows/email-scene.ts';
import { leadsTo, startsSession } from '../flows/scene.ts';
import { OWNER, verificationScene } from '../flows/verification-scene.ts';

it.each(oneDoor)('a planted mail cookie does not add the passkey of an attacker, through $name', async (door) => {
  const app = verificationScene(door);
  await app.adapter.createUser({ id: 'known', email: OWNER, emailVerified: new Date(0) });
  const attacker = app.visitor();
  await app.register(OWNER, { browser: attacker });
  const planted = attacker.cookies.all().find(({ name }) => name.endsWith('authjs.mail'));
  await app.browser.get('/auth/signin');
  app.browser.cookies.set(planted?.name ?? '', planted?.value ?? '');
  expect(startsSession(await app.finish(app.link()))).toBe(false);
  expect(startsSession(await app.type())).toBe(false);
  expect(app.adapter.dump()).toMatchObject({ accounts: [], authenticators: [] });
});

/** Cookies that a subdomain can plant: the names have no `__Host-`. */
const cookies = { csrfToken: { name: 'csrf' }, mail: { name: 'mail' } };
const origin = 'https://app.example';

it.each(oneDoor)('nor with the CSRF token, if the cookies have other names, through $name', async (door) => {
  const app = verificationScene(door, { origin, config: { cookies }, call: { isOriginFixed: true } });
  await app.adapter.createUser({ id: 'known', email: OWNER, emailVerified: new Date(0) });
  const attacker = app.visitor();
  await app.register(OWNER, { browser: attacker });
  for (const { name, value } of attacker.cookies.all()) app.browser.cookies.set(name, value, { secure: true });
  const page = await app.finish(app.link());
  expect(page.text()).toContain('without <strong>Passkey</strong>');
  expect(startsSession(await app.browser.submit(app.browser.form(page)))).toBe(true);
  expect(await app.session()).toMatchObject({ user: { email: OWNER } });
  expect(app.adapter.dump()).toMatchObject({ accounts: [], authenticators: [] });
});

it.each([
  ['on http', 'http://app.example', {}],
  ['with another name', origin, { cookies: { mail: { name: 'mail' } } }],
] as const)('a planted mail cookie does not sign in without a click: %s', async (_, origin, config) => {
  for (const door of oneDoor) {
    const app = mailScene(door, config, { origin, provider: { confirm: 'other-browser' } });
    const attacker = app.visitor();
    const link = await app.link('mallory@example.com', {}, attacker);
    for (const { name, value } of attacker.cookies.all()) app.browser.cookies.set(name, value);
    const page = await app.open(link);
    expect(startsSession(page)).toBe(false);
    expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
  }
});
