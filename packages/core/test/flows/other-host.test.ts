import { expect, it } from 'vitest';
import { withEnv } from '../../src/binding.ts';
import { doors } from './doors.ts';
import { fakeProvider, log, oidc, SECRET, scene } from './scene.ts';

const HOSTS = 'the request came to "localhost:3000", but AUTH_URL is "http://127.0.0.1:3000". Open the site';

it.each(doors)('a callback at another host than that of AUTH_URL names both hosts, through $name', async (door) => {
  const fake = fakeProvider();
  const own = log();
  const env = { AUTH_URL: 'http://127.0.0.1:3000', AUTH_SECRET: SECRET };
  const { config, call } = withEnv({ providers: [oidc(fake)], logger: own }, env);
  const app = scene(door, config, { call });
  const started = await app.begin();
  const answer = new URL(await fake.authorize(started.location ?? ''));
  expect(answer.host).toBe('127.0.0.1:3000');
  // The browser opens the callback at `localhost`, and so without the cookies.
  answer.host = 'localhost:3000';
  await app.finish(answer.href, app.visitor());
  expect(own.errors[0]?.message).toContain(HOSTS);
});
