import { describe, expect, it } from 'vitest';
import { budgets, bundleSizes } from '../bench/other/bundle.ts';
import { moduleFigures } from '../bench/other/modules.ts';

describe('what browsers and workers have to load', async () => {
  const sizes = await bundleSizes();
  it.for(Object.entries(budgets()))('%s stays within its budget', ([name, { most }]) => {
    const size = sizes[name as keyof typeof sizes];
    expect(size, 'bytes, gzipped').toBeGreaterThan(0);
    expect(size, 'more than bench/budgets.json allows').toBeLessThanOrEqual(most);
  });

  it('is split: a session needs less than half', () => {
    expect(sizes.session).toBeLessThan(sizes.whole / 2);
  });

  it('is loaded when it is wanted: a session has no need of pages, OAuth, WebAuthn or mail', async () => {
    const [files, unneeded] = await moduleFigures();
    expect(files?.value).toBeGreaterThan(2);
    expect(unneeded).toMatchObject({ value: 0, parts: {} });
  });
});
