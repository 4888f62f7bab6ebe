import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn } from '../../scripts/turn.ts';

/** What a build depends on. */
export interface BuildParts {
  /** What is built, and the packages in it: folders, or files. */
  readonly sources: readonly string[];
  /** Below them, what has no part in it: `test`, `.data`. */
  readonly without: readonly string[];
  /** The folder that the build makes. */
  readonly output: string;
  /** Whatever else: versions, settings. */
  readonly others: readonly string[];
}

/**
 * Builds, unless the last build was made of the same. One build at a time: who has waited may find it done.
 *
 * @param lock File for those who wait for each other. Default: all builds of this repository do.
 */
export async function buildWhenNeeded(
  parts: BuildParts,
  build: () => Promise<void>,
  lock?: string | undefined,
): Promise<void> {
  const stamp = join(parts.output, 'made-of');
  const print = fingerprint(parts);
  const isDone = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === print;
  if (isDone()) return;
  await inTurn(async () => {
    if (isDone()) return;
    // What is begun is not done, and what was before is no more.
    rmSync(stamp, { force: true });
    await build();
    writeFileSync(stamp, print);
  }, lock);
}

function fingerprint({ sources, without, others }: BuildParts): string {
  const hash = createHash('sha256').update([process.version, ...others].join('\0'));
  for (const source of sources) {
    for (const file of filesOf(source, without)) hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesOf(source: string, without: readonly string[]): string[] {
  if (statSync(source).isFile()) return [source];
  const exclude = ['node_modules', ...without].flatMap((name) => [name, `${name}/**`]);
  return globSync('**/*', { cwd: source, exclude })
    .map((name) => join(source, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}
