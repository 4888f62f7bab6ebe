import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { exitWith, Problem } from '../../../scripts/run.mjs';

const folder = new URL('../marks/', import.meta.url);

// `npm run marks` writes the modules of the marks in `packages/core/marks`. With `--check`, it fails if one is out of
// date.
await exitWith(async () => {
  const targets = new URL('../src/marks/', import.meta.url);
  const names = globSync('*.svg', { cwd: folder }).map((file) => basename(file, '.svg'));
  for (const name of names) {
    const target = new URL(`${name}.ts`, targets);
    const text = moduleOf(name);
    if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
    if (process.argv.includes('--check')) {
      throw new Problem(`stale: packages/core/src/marks/${name}.ts. Run \`npm run marks\``);
    }
    writeFileSync(target, text);
  }
  return 0;
});

/** @throws {Problem} if the drawing has other elements than paths, or is not 24 × 24. */
function moduleOf(name: string): string {
  const drawing = readFileSync(new URL(`${name}.svg`, folder), 'utf8');
  // Text outside of a drawing is refused, too.
  const content = /^<svg xmlns="[^"]+" viewBox="0 0 24 24">([\s\S]*)<\/svg>\s*$/.exec(drawing)?.[1] ?? drawing;
  const paths = /<path fill="(#[\dA-F]{6})" d="([^"<>']+)"\/>/g;
  if (content.replace(paths, '').trim() !== '') {
    throw new Problem(
      `packages/core/marks/${name}.svg must have paths with \`fill\` and \`d\` only, in a box of 24 × 24`,
    );
  }
  const list = [...content.matchAll(paths)].map(
    ([, fill, path]) => `  {\n    fill: '${fill}',\n    path: '${path}',\n  },\n`,
  );
  return `// Written by \`npm run marks\` from packages/core/marks/${name}.svg.
// packages/core/marks/marks.json has source and terms.
import type { MarkPath } from '../types/provider.ts';

const mark: readonly MarkPath[] = [
${list.join('')}];

export default mark;
`;
}
