import { expect, it } from 'vitest';
import { buildKit } from '../../../packages/sveltekit/test/kit/build.ts';
import { remoteGuardTests } from '../../../packages/sveltekit/test/remote/guard-cases.ts';
import { nothingWrong, svelteCheck } from '../svelte-check.ts';
import { remote } from './twins.ts';

remoteGuardTests(remote);

it('the types of remote functions are those of Kit 2', async () => {
  const app = remote();
  await buildKit(app);
  expect(await svelteCheck(app)).toBe(nothingWrong);
});
