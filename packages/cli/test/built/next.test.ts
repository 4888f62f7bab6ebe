import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTurn } from '../../../../scripts/build-when-needed.ts';
import { configOfTest, typeFaults } from '../../../../test/next-build.ts';
import { latchkey, writeProject } from '../fixtures/project.ts';
import { addClient, execute, type Running, signIn, start } from '../fixtures/running.ts';

const next = fileURLToPath(new URL('../../../../node_modules/next/dist/bin/next', import.meta.url));
const held: { root?: string; remove?: () => void; running?: Running } = {};

beforeAll(async () => {
  // As `create-next-app` begins it.
  const { root, remove } = writeProject({
    manifest: { dependencies: { next: '16.4.5' } },
    files: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          jsx: 'react-jsx',
          module: 'esnext',
          moduleResolution: 'bundler',
          strict: true,
          noEmit: true,
          esModuleInterop: true,
          skipLibCheck: true,
          lib: ['dom', 'dom.iterable', 'esnext'],
          plugins: [{ name: 'next' }],
        },
      }),
      'next.config.mjs': configOfTest,
      'app/layout.tsx':
        'export default function Layout({ children }: { children: React.ReactNode }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
      'app/page.tsx':
        "import { auth } from '../auth';\n\nexport default async function Page() {\n  return <p>{(await auth())?.user?.name ?? 'signed out'}</p>;\n}\n",
    },
  });
  Object.assign(held, { root, remove });
  const { code, err } = await latchkey(root, ['init', '--store', 'sqlite']);
  expect([code, err]).toEqual([0, '']);
  addClient(root, '.env.local');
  // As a deployment behind a proxy, which sets the host.
  appendFileSync(join(root, '.env.local'), 'AUTH_TRUST_HOST=true\n');
  await inTurn(() => execute(root, next, 'build'));
  held.running = await start(root, next, 'start', '-p', '0');
});

afterAll(async () => {
  await held.running?.stop();
  held.remove?.();
});

it('the files for Next.js build, sign in, and have no finding', async () => {
  const { root = '', running } = held;
  if (!running) throw new Error('the application does not run');
  expect(await signIn(running, '/api/auth'), running.log()).toMatchObject({ user: { name: 'Ada' } });
  const { code, out } = await latchkey(root, ['doctor', '--json', '--offline']);
  expect([code, JSON.parse(out).findings]).toEqual([0, []]);
  expect(await typeFaults(root)).toBe('');
});
