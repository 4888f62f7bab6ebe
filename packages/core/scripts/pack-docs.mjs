// Before the package is packed: copies the pages that its messages refer to, and the pages that those link to most.
// Links to other pages lead to the repository.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup.mjs';

const pages = [
  'errors',
  'explain',
  'configuration',
  'environment',
  'rate-limits',
  'sessions',
  'account',
  'tokens',
  'linking',
  'mail',
  'pages',
  'passkeys',
  'providers',
  'adapters',
];

const { repository } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'));
const source = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;

mkdirSync(join(process.cwd(), 'docs'), { recursive: true });
for (const page of pages) {
  const text = readFileSync(join(root, 'docs', `${page}.md`), 'utf8');
  // The package has its README beside `docs`. Other files are in the repository only.
  const linked = text
    .replaceAll('](../packages/core/README.md', '](../README.md')
    .replaceAll(/\]\(\.\.\/(?!README\.md)/g, `](${source}`)
    .replaceAll(/\]\(([\w/-]+)\.md/g, (link, name) => (pages.includes(name) ? link : `](${source}docs/${name}.md`));
  writeFileSync(join(process.cwd(), 'docs', `${page}.md`), linked);
}
