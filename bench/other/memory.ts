import { asking, inChild } from './child.ts';
import type { Figure } from './figure.ts';

/** Measures the memory that requests leave behind, and that of the library. */
export async function memoryFigures(requests: number): Promise<Figure[]> {
  const growth = await inChild<{ kept: number }>(
    `${asking('latchkey')}
for (let n = 0; n < ${requests / 10}; n++) await ask();
const heap = async () => {
  for (let n = 0; n < 4; n++) { await new Promise((done) => setTimeout(done, 20)); gc(); }
  return process.memoryUsage().heapUsed;
};
const before = await heap();
for (let n = 0; n < ${requests}; n++) await ask();
console.log(JSON.stringify({ kept: (await heap()) - before }));`,
    ['--expose-gc'],
  );
  const resident = (code: string): Promise<number> =>
    inChild(`${code}; gc(); console.log(process.memoryUsage().rss / 1048576);`, ['--expose-gc']);
  const empty = await resident('');
  const ours = await resident(`await import('@latchkey/core')`);
  const theirs = await resident('await peer()');
  return [
    {
      title: `kept per request, ${requests.toLocaleString('en')} of them`,
      value: Math.max(0, growth.kept / requests),
      unit: 'bytes',
      most: 1,
    },
    {
      title: 'resident after the import, beyond an empty process',
      value: ours - empty,
      unit: 'MB',
      most: 6,
      peer: theirs - empty,
    },
  ];
}
