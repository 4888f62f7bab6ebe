/** An application as its framework's own command begins it. */
export interface Application {
  readonly manifest: object;
  readonly files: Readonly<Record<string, string>>;
  /** Arguments of Node.js. */
  readonly build?: readonly string[];
  readonly serve: readonly string[];
  readonly basePath: string;
  readonly envFile: string;
}

const next = (version: string): Application => ({
  manifest: {
    dependencies: { next: version, react: '19.3.1', 'react-dom': '19.3.1' },
    devDependencies: { typescript: '6.0.3', '@types/node': '24.19.2', '@types/react': '19.2.2' },
  },
  files: {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2017',
        lib: ['dom', 'dom.iterable', 'esnext'],
        skipLibCheck: true,
        strict: true,
        noEmit: true,
        esModuleInterop: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        resolveJsonModule: true,
        isolatedModules: true,
        jsx: version.startsWith('15') ? 'preserve' : 'react-jsx',
        incremental: true,
        plugins: [{ name: 'next' }],
      },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx'],
      exclude: ['node_modules'],
    }),
    'app/layout.tsx':
      'export default function Layout({ children }: { children: React.ReactNode }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
    'app/page.tsx': 'export default function Page() {\n  return <p>Shop</p>;\n}\n',
  },
  build: ['node_modules/next/dist/bin/next', 'build'],
  serve: ['node_modules/next/dist/bin/next', 'dev', '-p', '0'],
  basePath: '/api/auth',
  envFile: '.env.local',
});

const page = {
  'src/app.html':
    '<!doctype html>\n<html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
  'src/routes/+page.svelte': '<h1>Shop</h1>\n',
};
const svelte = { svelte: '5.57.3', '@sveltejs/vite-plugin-svelte': '7.3.1', vite: '8.3.8', typescript: '6.0.3' };
const kit = { build: ['node_modules/vite/bin/vite.js', 'build'], basePath: '/auth', envFile: '.env' };
const viteConfig = "import { sveltekit } from '@sveltejs/kit/vite';\n\nexport default { plugins: [sveltekit()] };\n";

const server = (dependencies: object, text: string): Application => ({
  manifest: { dependencies, devDependencies: { typescript: '6.0.3' } },
  files: { 'tsconfig.json': TSCONFIG, 'server.ts': text },
  serve: ['--env-file=.env', 'server.ts'],
  basePath: '/auth',
  envFile: '.env',
});

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  },
});

const PRINT = "console.log('http://localhost:' + (server.address() as { port: number }).port)";

/** The applications of the trial. `IMPORT` and `LINES` stand for the lines that `init` prints. */
export const applications: Readonly<Record<string, Application>> = {
  'next-16': next('16.4.5'),
  'next-15': next('15.5.28'),
  'sveltekit-3': {
    manifest: { devDependencies: { ...svelte, '@sveltejs/kit': '3.2.0' } },
    files: {
      ...page,
      'vite.config.ts': viteConfig,
      'tsconfig.json': JSON.stringify({ extends: '$app/tsconfig', include: ['src', '*'] }),
    },
    ...kit,
    serve: ['node_modules/vite/bin/vite.js', 'dev', '--port', '0'],
  },
  'sveltekit-2': {
    manifest: { devDependencies: { ...svelte, '@sveltejs/kit': '2.70.4' } },
    files: {
      ...page,
      'vite.config.ts': viteConfig,
      'svelte.config.js': 'export default { kit: {} };\n',
      'tsconfig.json': JSON.stringify({ extends: './.svelte-kit/tsconfig.json' }),
    },
    ...kit,
    serve: ['node_modules/vite/bin/vite.js', 'dev', '--port', '0'],
  },
  express: server(
    { express: '5.3.0' },
    `import express from 'express';\nIMPORT\nconst app = express();\nLINES\nconst server = app.listen(0, () => ${PRINT});\n`,
  ),
  hono: server(
    { hono: '4.13.19', '@hono/node-server': '2.1.9' },
    `import { serve } from '@hono/node-server';\nimport { Hono } from 'hono';\nIMPORT\nconst app = new Hono();\nLINES\nconst server = serve({ fetch: app.fetch, port: 0 }, () => ${PRINT});\n`,
  ),
  node: server(
    {},
    `import { createServer } from 'node:http';\nIMPORT\nconst server = LINES\nserver.listen(0, () => ${PRINT});\n`,
  ),
};
