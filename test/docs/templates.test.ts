import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf } from './page.ts';

const templates = join(import.meta.dirname, '../../packages/cli/templates');

it.each([
  ['start/express.md', 'auth.ts', 'express/auth.ts'],
  ['start/hono.md', 'auth.ts', 'hono/auth.ts'],
  ['start/node.md', 'auth.ts', 'node/auth.ts'],
  ['start/nextjs.md', 'auth.ts', 'next/auth.ts'],
  ['start/nextjs.md', 'app/api/auth/[...nextauth]/route.ts', 'next/app/api/auth/[...nextauth]/route.ts'],
  ['start/nextjs.md', 'proxy.ts', 'next-16/proxy.ts'],
  ['start/sveltekit.md', 'src/auth.ts', 'sveltekit-2/src/auth.ts'],
  ['start/sveltekit.md', 'src/hooks.server.ts', 'sveltekit/src/hooks.server.ts'],
])('%s shows the %s that `latchkey init` writes without a store', (page, file, template) => {
  const printed = filesOf(page).get(file)?.replace(/^.*\n/, '');
  const written = readFileSync(join(templates, template), 'utf8')
    .replaceAll(/^ *\/\/#store .*\n/gm, '')
    .replaceAll(/^( *)\/\/#typed /gm, '$1');
  expect(printed).toBe(written);
});
