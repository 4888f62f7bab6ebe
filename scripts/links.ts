import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './links/documents.ts';
import { externalLinks, problemOf } from './links/external.ts';
import { exitWith, Problem } from './run.mjs';
import { root } from './setup.mjs';

const simultaneous = 8;

// `npm run links` requests each external URL of the documentation, and fails if a page is gone. A workflow runs it
// weekly; `npm test` checks only the links within the repository.
await exitWith(async () => {
  const files = new Map<string, string[]>();
  for (const file of documents()) {
    for (const url of externalLinks(readFileSync(join(root, file), 'utf8'))) {
      files.set(url, [...(files.get(url) ?? []), file]);
    }
  }
  const waiting = [...files.keys()];
  console.log(`${waiting.length} URLs`);
  const gone: string[] = [];
  const work = async (): Promise<void> => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const problem = await problemOf(url);
      if (problem) gone.push(`${url}: ${problem} (${[...new Set(files.get(url))].join(', ')})`);
    }
  };
  await Promise.all(Array.from({ length: simultaneous }, work));
  if (gone.length > 0) throw new Problem(`${gone.length} links lead nowhere:\n${gone.sort().join('\n')}`);
  return 0;
});
