import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Kit's own check of forms is off: the suite tests that of the binding.
  plugins: [sveltekit({ csrf: { trustedOrigins: ['*'] } })],
});
