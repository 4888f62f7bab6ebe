import { expect, it } from 'vitest';
import { logoutScene } from '../logout/scene.ts';

it('a flood of correct logout tokens: the last 10,000 are not accepted again, and older ones are forgotten', async () => {
  const { provider, post } = logoutScene({ provider: { signingAlgorithm: 'HS256' } });
  const send = async (token: string): Promise<number> => (await post({ logout_token: token })).status;
  const [first, second] = [await provider.logoutToken(), await provider.logoutToken()];
  expect([await send(first), await send(second)]).toEqual([200, 200]);
  for (let count = 0; count < 9999; count += 1) expect(await send(await provider.logoutToken())).toBe(200);
  expect(await send(second)).toBe(400);
  expect(await send(first)).toBe(200);
});
