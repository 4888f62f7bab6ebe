import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

const packages = fileURLToPath(new URL('../../../', import.meta.url));

/** The sources of the packages, so that the tests need no build of them. */
const alias = [
  { find: /^@latchkey\/([\w-]+)$/, replacement: `${packages}$1/src/index.ts` },
  { find: /^@latchkey\/([\w-]+)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
];

export default defineConfig({ plugins: [reactRouter()], resolve: { alias } });
