import node from '@astrojs/node';
import { defineConfig, memoryCache } from 'astro/config';

export default defineConfig({
  output: 'server',
  outDir: process.env.OUT_DIR,
  adapter: node({ mode: 'standalone' }),
  devToolbar: { enabled: false },
  cache: { provider: memoryCache() },
});
