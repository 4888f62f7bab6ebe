import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import { defineConfig } from 'vite';

/** The application's base path, such as `/shop`. Default: the root. */
const base = process.env['BASE_PATH'] ?? '';

export default defineConfig({
  base: `${base}/`,
  build: { outDir: `build${base || '/root'}` },
  plugins: [tanstackStart({ router: { basepath: base || '/', generatedRouteTree: 'route-tree.gen.ts' } })],
});
