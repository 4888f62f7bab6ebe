import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf } from './page.ts';

const docs = join(import.meta.dirname, '../../docs');
const templates = join(import.meta.dirname, '../../packages/cli/templates');

/** The file that `latchkey init` writes for a template, without a store. */
function written(template: string): string {
  return readFileSync(join(templates, template), 'utf8')
    .replaceAll(/^ *\/\/#store .*\n/gm, '')
    .replaceAll(/^( *)\/\/#typed /gm, '$1');
}

it.each([
  ['start/express.md', 'auth.ts', 'express/auth.ts'],
  ['start/hono.md', 'auth.ts', 'hono/auth.ts'],
  ['start/node.md', 'auth.ts', 'node/auth.ts'],
  ['start/nextjs.md', 'auth.ts', 'next/auth.ts'],
  ['start/nextjs.md', 'app/api/auth/[...nextauth]/route.ts', 'next/app/api/auth/[...nextauth]/route.ts'],
  ['start/nextjs.md', 'proxy.ts', 'next-16/proxy.ts'],
  ['start/sveltekit.md', 'src/auth.ts', 'sveltekit-3/src/auth.ts'],
  ['start/sveltekit.md', 'src/env.ts', 'sveltekit-3/src/env.ts'],
  ['start/sveltekit.md', 'src/hooks.server.ts', 'sveltekit/src/hooks.server.ts'],
  ['frameworks/h3.md', 'auth.ts', 'h3/auth.ts'],
  ['frameworks/h3.md', 'server/utils/auth.ts', 'nitro/server/utils/auth.ts'],
  ['frameworks/h3.md', 'server/middleware/00.auth.ts', 'nitro/server/middleware/00.auth.ts'],
  ['frameworks/fastify.md', 'auth.ts', 'fastify/auth.ts'],
  ['frameworks/react-router.md', 'app/auth.server.ts', 'react-router/app/auth.server.ts'],
  ['frameworks/react-router.md', 'app/routes/auth.$.ts', 'react-router/app/routes/auth.$.ts'],
  ['frameworks/astro.md', 'src/auth.ts', 'astro/src/auth.ts'],
  ['frameworks/astro.md', 'src/pages/auth/[...auth].ts', 'astro/src/pages/auth/[...auth].ts'],
  ['frameworks/astro.md', 'src/middleware.ts', 'astro/src/middleware.ts'],
  ['frameworks/tanstack-start.md', 'src/auth.server.ts', 'tanstack-start/src/auth.server.ts'],
  ['frameworks/tanstack-start.md', 'src/start.ts', 'tanstack-start/src/start.ts'],
])('%s shows the %s that `latchkey init` writes without a store', (page, file, template) => {
  const printed = filesOf(page).get(file)?.replace(/^.*\n/, '');
  expect(printed).toBe(written(template));
});

it('start/sveltekit.md shows the src/auth.ts that `latchkey init` writes for SvelteKit 2', () => {
  const page = readFileSync(join(docs, 'start/sveltekit.md'), 'utf8');
  expect(page).toContain(`// src/auth.ts, with SvelteKit 2\n${written('sveltekit-2/src/auth.ts')}\`\`\`\n`);
});
