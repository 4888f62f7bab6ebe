import { expect, it } from 'vitest';
import { logoutScene } from './scene.ts';

it('a sign-out waits two seconds for the metadata of the provider, then it stays local', async () => {
  const { app, provider, signIn } = logoutScene();
  const { authorization, token, userinfo, jwks: jwks_endpoint } = provider.endpoints;
  const client = { id_token_signed_response_alg: 'ES256' };
  app.config.providers[0] = provider.provider({ authorization, token, userinfo, jwks_endpoint, client });
  provider.misbehave({ discovery: { delay: 'forever' } });
  await signIn();
  expect(await app.session()).not.toBeNull();
  const start = performance.now();
  const page = await app.post('signout', { callbackUrl: '/bye' });
  expect(performance.now() - start).toBeGreaterThan(1900);
  expect(page.location).toBe('http://localhost:3000/bye');
  expect(await app.session()).toBeNull();
  expect(app.log.warnings).toEqual([['no-end-session-endpoint', expect.stringContaining('provider: fake')]]);
});
