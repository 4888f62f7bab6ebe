import { expect, it } from 'vitest';
import { nothingWrong, svelteCheck } from '../../../test/compat/svelte-check.ts';
import { buildKit } from './kit/build.ts';
import { app } from './kit/server.ts';

it('the types of the components hold, in themselves and in an application of Kit 3', async () => {
  await buildKit(app);
  expect(await svelteCheck(app)).toBe(nothingWrong);
}, 1_200_000);
