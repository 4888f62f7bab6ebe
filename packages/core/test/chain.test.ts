import { describe, expect, it } from 'vitest';
import { eachResult } from '../src/chain.ts';

describe('results for all items', () => {
  const now = (item: number): number => item * 2;
  const later = async (item: number): Promise<number> => item * 2;

  it('are there at once where nothing has to be waited for', () => {
    expect(eachResult([1, 2, 3], now)).toEqual([2, 4, 6]);
    expect(eachResult([], now)).toEqual([]);
  });

  it.for([
    ['each', later],
    ['the first', (item: number) => (item === 1 ? later(item) : now(item))],
    ['the last', (item: number) => (item === 3 ? later(item) : now(item))],
  ] as const)('come later where something has to: %s', async ([, work]) => {
    const results = eachResult([1, 2, 3], work);
    expect(results).toBeInstanceOf(Promise);
    expect(await results).toEqual([2, 4, 6]);
  });

  it('are asked for one after the other', async () => {
    const asked: string[] = [];
    await eachResult([1, 2], async (item) => {
      asked.push(`begin ${item}`);
      await undefined;
      asked.push(`end ${item}`);
    });
    expect(asked).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  it('end with the first failure', async () => {
    const asked: number[] = [];
    const work = async (item: number): Promise<void> => {
      asked.push(item);
      throw new Error('no');
    };
    await expect(eachResult([1, 2], work)).rejects.toThrow('no');
    expect(asked).toEqual([1]);
  });
});
