import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [
    sveltekit({
      paths: { base: '/shop' },
      experimental: { remoteFunctions: true },
      // A provider that posts its answers, from its own site, as Apple does. Kit would refuse them.
      csrf: { trustedOrigins: ['https://trusted-idp.test'] },
    }),
  ],
});
