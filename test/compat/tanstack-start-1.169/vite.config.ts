import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import { defineConfig } from 'vite';

/** The application's base path, such as `/shop`. Default: the root. */
const base = process.env['BASE_PATH'] ?? '';

// The sources are outside of this folder. These packages are taken from it nevertheless.
const dedupe = ['react', 'react-dom', '@tanstack/react-router', '@tanstack/react-start'];

// The application of the suite, with the TanStack Start of this folder.
export default defineConfig({
  base: `${base}/`,
  build: { outDir: `build${base || '/root'}` },
  resolve: { dedupe },
  plugins: [
    tanstackStart({
      srcDirectory: '../../../packages/tanstack-start/test/apps/contract/src',
      router: { basepath: base || '/', generatedRouteTree: 'route-tree.gen.ts' },
    }),
  ],
});
