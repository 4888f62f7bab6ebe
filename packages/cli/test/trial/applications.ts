/** An application as its framework's own command begins it. */
export interface Application {
  /** Edits that a developer makes after `init`, as it prints them. */
  readonly edits?: Readonly<Record<string, string>>;
  readonly manifest: object;
  readonly files: Readonly<Record<string, string>>;
  /** Arguments of Node.js. */
  readonly build?: readonly string[];
  /** Whether the compiler runs after the build, which does not check types. */
  readonly isTypeChecked?: boolean;
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

const reactTypes = { '@types/node': '24.19.2', '@types/react': '19.3.0', '@types/react-dom': '19.3.0' };

/** The settings of the compiler for an application that Vite builds. */
const BUNDLED = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    lib: ['dom', 'dom.iterable', 'es2023'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: ['node', 'vite/client'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['**/*.ts', '**/*.tsx'],
});

const ROOT = `import { Links, Meta, Outlet, Scripts } from 'react-router';

export default function Root() {
  return (
    <html lang="en">
      <head><Meta /><Links /></head>
      <body><Outlet /><Scripts /></body>
    </html>
  );
}
`;
const ROUTES =
  "import { index, route } from '@react-router/dev/routes';\n\nexport default [index('routes/home.tsx')];\nvoid route;\n";

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
  fastify: server(
    { fastify: '5.12.8' },
    `import fastify from 'fastify';\nIMPORT\nconst app = fastify();\nLINES\nawait app.listen({ port: 0 });\nconst { server } = app;\n${PRINT};\n`,
  ),
  h3: server(
    { h3: '2.0.8' },
    `import { H3, serve } from 'h3';\nIMPORT\nconst app = new H3();\nLINES\nconst running = serve(app, { port: 0, silent: true });\nawait running.ready();\nconst { server } = running.node as unknown as { server: import('node:http').Server };\n${PRINT};\n`,
  ),
  nitro: {
    manifest: { devDependencies: { nitropack: '2.13.6', typescript: '6.0.3' } },
    files: {
      'nitro.config.ts':
        "import { defineNitroConfig } from 'nitropack/config';\n\nexport default defineNitroConfig({ srcDir: 'server', compatibilityDate: '2026-01-01' });\n",
      'tsconfig.json': '{ "extends": "./.nitro/types/tsconfig.json" }',
    },
    build: ['node_modules/nitropack/dist/cli/index.mjs', 'build'],
    serve: ['node_modules/nitropack/dist/cli/index.mjs', 'dev', '--port', '0'],
    basePath: '/auth',
    envFile: '.env',
  },
  'react-router': {
    manifest: {
      dependencies: {
        react: '19.3.1',
        'react-dom': '19.3.1',
        'react-router': '8.4.0',
        '@react-router/node': '8.4.0',
        isbot: '5.1.32',
      },
      devDependencies: { '@react-router/dev': '8.4.0', vite: '8.3.8', typescript: '6.0.3', ...reactTypes },
    },
    files: {
      'vite.config.ts':
        "import { reactRouter } from '@react-router/dev/vite';\n\nexport default { plugins: [reactRouter()] };\n",
      'react-router.config.ts': 'export default {};\n',
      'tsconfig.json': BUNDLED,
      'app/root.tsx': ROOT,
      'app/routes.ts': ROUTES,
      'app/routes/home.tsx': 'export default function Home() {\n  return <p>Shop</p>;\n}\n',
    },
    edits: {
      'app/root.tsx': `import { sessionMiddleware } from './auth.server';\n\nexport const middleware = [sessionMiddleware];\n\n${ROOT}`,
      'app/routes.ts': ROUTES.replace("'routes/home.tsx')", "'routes/home.tsx'), route('auth/*', 'routes/auth.$.ts')"),
    },
    build: ['node_modules/@react-router/dev/bin.cjs', 'build'],
    isTypeChecked: true,
    serve: ['node_modules/@react-router/dev/bin.cjs', 'dev', '--port', '0'],
    basePath: '/auth',
    envFile: '.env',
  },
  astro: {
    manifest: { dependencies: { astro: '7.3.5', '@astrojs/node': '11.1.6' }, devDependencies: { typescript: '6.0.3' } },
    files: {
      'astro.config.mjs':
        "import node from '@astrojs/node';\nimport { defineConfig } from 'astro/config';\n\nexport default defineConfig({ adapter: node({ mode: 'standalone' }) });\n",
      'tsconfig.json': '{ "extends": "astro/tsconfigs/strict", "include": [".astro/types.d.ts", "**/*"] }',
      'src/pages/index.astro': '<html lang="en"><body>Shop</body></html>\n',
    },
    build: ['node_modules/astro/bin/astro.mjs', 'build'],
    isTypeChecked: true,
    serve: ['--env-file=.env', 'node_modules/astro/bin/astro.mjs', 'dev', '--port', '0'],
    basePath: '/auth',
    envFile: '.env',
  },
  'tanstack-start': {
    manifest: {
      dependencies: {
        react: '19.3.1',
        'react-dom': '19.3.1',
        '@tanstack/react-router': '1.170.46',
        '@tanstack/react-start': '1.169.5',
      },
      devDependencies: { vite: '8.3.8', typescript: '6.0.3', ...reactTypes },
    },
    files: {
      'vite.config.ts':
        "import { tanstackStart } from '@tanstack/react-start/plugin/vite';\n\nexport default { plugins: [tanstackStart()] };\n",
      'tsconfig.json': BUNDLED,
      'src/router.tsx':
        "import { createRouter } from '@tanstack/react-router';\nimport { routeTree } from './routeTree.gen';\n\nexport const getRouter = () => createRouter({ routeTree });\n",
      'src/routes/__root.tsx': `import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router';

export const Route = createRootRoute({
  component: () => (
    <html lang="en">
      <head><HeadContent /></head>
      <body><Outlet /><Scripts /></body>
    </html>
  ),
});
`,
      'src/routes/index.tsx':
        "import { createFileRoute } from '@tanstack/react-router';\n\nexport const Route = createFileRoute('/')({ component: () => <p>Shop</p> });\n",
    },
    build: ['node_modules/vite/bin/vite.js', 'build'],
    isTypeChecked: true,
    serve: ['node_modules/vite/bin/vite.js', 'dev', '--port', '0'],
    basePath: '/auth',
    envFile: '.env',
  },
  node: server(
    {},
    `import { createServer } from 'node:http';\nIMPORT\nconst server = LINES\nserver.listen(0, () => ${PRINT});\n`,
  ),
};
