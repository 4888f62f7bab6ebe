import { expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { startsSession } from '../flows/scene.ts';
import { OWNER, verificationScene } from '../flows/verification-scene.ts';

it.each(doors)('a planted mail cookie does not add the passkey of an attacker, through $name', async (door) => {
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
