import { asking, inChild } from './child.ts';
import type { Figure } from './figure.ts';

/** Returns the ratio of the 99th percentile of the response times to their median, with 32 requests in flight. */
export async function stallFigures(requests: number): Promise<Figure[]> {
  const ratio = await inChild<number>(`${asking('latchkey')}
const times = [];
const visitor = async (count, keeps) => {
  for (let n = 0; n < count; n++) {
    const start = performance.now();
    await ask();
    // The next request starts in a new turn of the event loop, as on a server.
    await new Promise(setImmediate);
    if (keeps) times.push(performance.now() - start);
  }
};
for (const keeps of [false, true]) await Promise.all(Array.from({ length: 32 }, () => visitor(${Math.ceil(requests / 32)}, keeps)));
times.sort((a, b) => a - b);
const at = (part) => times[Math.floor(times.length * part)];
console.log(at(0.99) / at(0.5));`);
  return [{ title: 'slowest hundredth, 32 in flight', value: ratio, unit: '× median', most: 5 }];
}
