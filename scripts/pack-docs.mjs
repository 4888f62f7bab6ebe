// Before a package is packed: puts the pages its messages point to beside it.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const pages = ['docs/errors.md', 'docs/rate-limits.md'];

for (const page of pages) {
  mkdirSync(join(process.cwd(), 'docs'), { recursive: true });
  cpSync(join(root, page), join(process.cwd(), page));
}
