import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

const { BASE = '/', TRUST_PROXY, OUT_DIR } = process.env;

export default defineConfig({
  output: 'server',
  base: BASE,
  outDir: OUT_DIR,
  adapter: node({ mode: 'standalone' }),
  devToolbar: { enabled: false },
  security: {
    // The suite tests the check of the binding.
    checkOrigin: false,
    allowedDomains: TRUST_PROXY ? [{ hostname: '127.0.0.1' }, { hostname: 'app.example' }] : [],
  },
});
