import { bundleFigures } from './bundle.ts';
import { type Figure, figureLine } from './figure.ts';
import { memoryFigures } from './memory.ts';
import { moduleFigures } from './modules.ts';
import { sessionListFigures } from './session-list.ts';
import { stallFigures } from './stalls.ts';
import { startFigures } from './start.ts';

/** Measures the figures outside the table. `say` gets each line as soon as it is known. */
export async function otherFigures(full: boolean, say: (line: string) => void): Promise<Figure[]> {
  const found: Figure[] = [];
  const parts = [
    bundleFigures,
    moduleFigures,
    () => startFigures(full ? 25 : 7),
    () => memoryFigures(full ? 200_000 : 50_000),
    sessionListFigures,
    () => stallFigures(full ? 64_000 : 12_800),
  ];
  for (const part of parts) {
    const figures = await part();
    for (const figure of figures) say(figureLine(figure));
    found.push(...figures);
  }
  return found;
}
