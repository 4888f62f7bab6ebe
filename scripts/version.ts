import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesets, nextVersion } from './changesets.mjs';
import { exitWith, Problem, run } from './run.mjs';
import { npm, root } from './setup.mjs';

const changelog = join(root, 'CHANGELOG.md');

// `npm run version`: moves the changesets into CHANGELOG.md, and sets the next version of all packages. The changelog
// is first, because setting the version deletes the changesets.
await exitWith(async () => {
  const waiting = changesets();
  if (waiting.length === 0) throw new Problem('no changeset waits for a release: run `npm run changeset`');
  const before = readFileSync(changelog, 'utf8');
  const next = nextVersion(versionOfPackages(), waiting);
  const summaries = waiting.map(({ summary }) => summary);
  writeFileSync(changelog, released(before, next, summaries));
  const code = await run(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], { cwd: root });
  if (code !== 0) {
    writeFileSync(changelog, before);
    return code;
  }
  const version = versionOfPackages();
  if (version !== next) throw new Problem(`CHANGELOG.md says ${next}, but the packages have ${version}: correct it`);
  npm(['install', '--package-lock-only', '--ignore-scripts'], root);
  return 0;
});

function versionOfPackages(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as { version: string };
  return version;
}

/** Gives the section of unreleased changes its version and date, and adds the summaries below it. */
function released(text: string, version: string, summaries: readonly string[]): string {
  const title = '## Unreleased\n';
  if (!text.includes(title)) throw new Problem(`CHANGELOG.md has no section "${title.trim()}"`);
  const today = new Date().toISOString().slice(0, 10);
  const items = summaries.map((summary) => `- ${summary.replaceAll('\n', '\n  ')}\n`).join('');
  return text.replace(title, () => `${title}\n## ${version} (${today})\n\n${items}`);
}
