import { describe, expect, it, vi } from 'vitest';
import { nextModule } from '../src/next-module.ts';

const missing = (): Promise<string> => Promise.reject(new Error('Cannot find module'));

describe("the import of one of Next's modules", () => {
  it('uses the name that bundlers replace, each time', async () => {
    const unbundled = vi.fn(missing);
    const load = nextModule(async () => 'bundled', unbundled);
    expect([await load(), await load()]).toEqual(['bundled', 'bundled']);
    expect(unbundled).not.toHaveBeenCalled();
  });

  it('tries that name once if only the other one exists', async () => {
    const bundled = vi.fn(missing);
    const load = nextModule(bundled, async () => 'unbundled');
    expect([await load(), await load(), await load()]).toEqual(['unbundled', 'unbundled', 'unbundled']);
    expect(bundled).toHaveBeenCalledOnce();
  });

  it('tries it again if both have failed', async () => {
    const bundled = vi.fn(missing).mockImplementationOnce(missing).mockResolvedValue('bundled');
    const load = nextModule(bundled, missing);
    await expect(load()).rejects.toThrow('Cannot find module');
    expect(await load()).toBe('bundled');
  });
});
