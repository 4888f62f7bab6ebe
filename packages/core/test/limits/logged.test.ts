import { memoryAdapter } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { oidcSite, site } from '../spec/site.ts';
import { text } from './edges.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the debug log hears of a user whom the application makes like that. */
async function heard(more: object): Promise<Record<string, unknown>> {
  const profile = ({ sub }: { sub?: unknown }) => ({ id: String(sub), email: 'ada@example.com', ...more });
  const app = oidcSite({ adapter: memoryAdapter() }, { profile });
  await app.enter();
  const [, told] = app.log.debugged.find(([message]) => message === 'adapter_createUserWithAccount') ?? [];
  const { args } = told as { args: Record<string, unknown>[] };
  return args[0] ?? {};
}

/** So many objects inside one another. */
function nested(levels: number): object {
  return levels === 1 ? { end: 'here' } : { inside: nested(levels - 1) };
}

describe('the debug log', () => {
  it('hears 4096 characters of a text', async () => {
    expect(await heard({ most: text(4096), more: text(4097) })).toMatchObject({ most: text(4096), more: text(4096) });
  });

  it('hears 50 entries of a list, and 100 members of an object', async () => {
    const list = (length: number): number[] => Array.from({ length }, (_, index) => index);
    const object = (size: number): object => Object.fromEntries(list(size).map((index) => [`n${index}`, index]));
    expect(await heard({ most: list(50), more: list(51), all: object(100), others: object(101) })).toMatchObject({
      most: list(50),
      more: list(50),
    });
    const { all, others } = await heard({ all: object(100), others: object(101) });
    expect([all, others]).toEqual([object(100), object(100)]);
  });

  it('hears of five objects inside one another', async () => {
    // The arguments, their list and the user are the first three.
    const { most, more } = await heard({ most: nested(2), more: nested(3) });
    expect([most, more]).toEqual([nested(2), { inside: { inside: '[…]' } }]);
  });
});

describe('the console', () => {
  it.each([
    [5, 5],
    [6, 5],
  ])('is told of %i causes behind one another: %i', async (length, told) => {
    const causes = Array.from({ length }, (_, index) => new Error(`cause ${index}`));
    for (const [index, cause] of causes.entries()) cause.cause = causes[index + 1];
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)));
    const app = site({
      logger: undefined,
      callbacks: {
        redirect: () => {
          throw causes[0];
        },
      },
    });
    await app.browser.get('/auth/signin?callbackUrl=/x');
    expect(lines.filter((line) => line.startsWith('[auth][cause] Error: cause'))).toHaveLength(told);
  });
});
