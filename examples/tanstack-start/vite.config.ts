import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  build: { outDir: 'build' },
  plugins: [tanstackStart({ router: { generatedRouteTree: 'route-tree.gen.ts' } })],
});
