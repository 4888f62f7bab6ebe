import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

/** Path of the site that the application has, for example `/shop`. Default: all of it. */
const base = (process.env['BASE_PATH'] ?? '') as '' | `/${string}`;

export default defineConfig({
  plugins: [
    sveltekit({
      adapter: adapter({ out: `build${base || '/root'}` }),
      outDir: `.svelte-kit${base}`,
      paths: { base },
    }),
  ],
});
