import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesets } from './changesets.mjs';
import { exitWith, Problem, run } from './run.mjs';
import { npm, root } from './setup.mjs';

const changelog = join(root, 'CHANGELOG.md');

// `npm run version`: sets the next version of all packages, and moves the changesets into CHANGELOG.md.
await exitWith(async () => {
  const summaries = changesets().map(({ summary }) => summary);
  if (summaries.length === 0) throw new Problem('no changeset waits for a release: run `npm run changeset`');
  const code = await run(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], { cwd: root });
  if (code !== 0) return code;
  npm(['install', '--package-lock-only', '--ignore-scripts'], root);
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as { version: string };
  writeFileSync(changelog, released(readFileSync(changelog, 'utf8'), version, summaries));
  return 0;
});

/** Gives the section of unreleased changes its version and date, and adds the summaries below it. */
function released(text: string, version: string, summaries: readonly string[]): string {
  const title = '## Unreleased\n';
  if (!text.includes(title)) throw new Problem(`CHANGELOG.md has no section "${title.trim()}"`);
  const today = new Date().toISOString().slice(0, 10);
  const items = summaries.map((summary) => `- ${summary.replaceAll('\n', '\n  ')}\n`).join('');
  return text.replace(title, () => `${title}\n## ${version} (${today})\n\n${items}`);
}
