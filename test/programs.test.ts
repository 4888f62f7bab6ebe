import { expect, it, onTestFinished, vi } from 'vitest';
import { installPrograms, missingPrograms, type Program, programs } from '../scripts/programs.mjs';

const missing: Program = {
  title: 'Some Program',
  debian: ['some-program'],
  megabytes: 1,
  tests: 'its tests',
  reason: 'is an example',
  isHere: () => false,
};

/** A user who may not install anything. */
function withoutRoot(ci: string): void {
  const user = vi.spyOn(process, 'getuid').mockReturnValue(1000);
  vi.stubEnv('CI', ci);
  onTestFinished(() => {
    user.mockRestore();
    vi.unstubAllEnvs();
  });
}

it('names the tests that cannot run, and the reason', async () => {
  withoutRoot('');
  expect(missingPrograms([missing, { ...missing, isHere: () => true }])).toEqual([missing]);
  expect(await installPrograms([missing])).toEqual(['its tests (no Some Program; see CONTRIBUTING)']);
  expect(await installPrograms([])).toEqual([]);
});

it('fails under CI=true, where no test is skipped', async () => {
  withoutRoot('true');
  await expect(installPrograms([missing])).rejects.toThrow(
    'these tests cannot run: its tests (no Some Program; see CONTRIBUTING)',
  );
});

it('reports a CHROMIUM_PATH that does not exist', () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => programs.chromium.isHere()).toThrow('CHROMIUM_PATH names /nowhere/chromium, which does not exist');
});
