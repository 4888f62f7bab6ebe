import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTurn } from '../../../../scripts/build-when-needed.ts';
import { latchkey, writeProject } from '../fixtures/project.ts';
import { addClient, execute, type Running, signIn, start } from '../fixtures/running.ts';

const vite = fileURLToPath(new URL('../../../../node_modules/vite/bin/vite.js', import.meta.url));
const held: { root?: string; remove?: () => void; running?: Running } = {};

beforeAll(async () => {
  const { root, remove } = writeProject({
    manifest: { devDependencies: { '@sveltejs/kit': '3.2.0', vite: '8.3.8' } },
    files: {
      'tsconfig.json': JSON.stringify({ extends: '$app/tsconfig', include: ['src', '*'] }),
      'vite.config.ts':
        "import adapter from '@sveltejs/adapter-node';\nimport { sveltekit } from '@sveltejs/kit/vite';\n\nexport default { plugins: [sveltekit({ adapter: adapter() })] };\n",
      'src/app.html':
        '<!doctype html>\n<html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
      'src/routes/+page.svelte': '<h1>Shop</h1>\n',
    },
  });
  Object.assign(held, { root, remove });
  const { code, err } = await latchkey(root, ['init']);
  expect([code, err]).toEqual([0, '']);
  addClient(root, '.env');
  await inTurn(() => execute(root, vite, 'build'));
  // The development server, as after `npm run dev`.
  held.running = await start(root, vite, 'dev', '--port', '0');
});

afterAll(async () => {
  await held.running?.stop();
  held.remove?.();
});

it('the files for SvelteKit build, sign in, and have no finding', async () => {
  const { root = '', running } = held;
  if (!running) throw new Error('the application does not run');
  expect(await signIn(running, '/auth'), running.log()).toMatchObject({ user: { name: 'Ada' } });
  const { code, out } = await latchkey(root, ['doctor', '--json', '--offline']);
  expect([code, JSON.parse(out).findings]).toEqual([0, []]);
});
