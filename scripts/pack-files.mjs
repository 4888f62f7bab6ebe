import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

// Before a package is packed, in its folder: all packages share the changelog of the repository.
copyFileSync(join(root, 'CHANGELOG.md'), join(process.cwd(), 'CHANGELOG.md'));
