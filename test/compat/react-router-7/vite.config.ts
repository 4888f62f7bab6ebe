import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));

const alias = [
  { find: /^@latchkey\/([\w-]+)$/, replacement: `${packages}$1/src/index.ts` },
  { find: /^@latchkey\/([\w-]+)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
];

// The sources are outside of this folder. These packages are taken from it nevertheless.
const dedupe = ['react', 'react-dom', 'react-router'];

export default defineConfig({ plugins: [reactRouter()], resolve: { alias, dedupe } });
