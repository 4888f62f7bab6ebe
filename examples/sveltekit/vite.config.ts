import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

/** The application's base path, such as `/shop`. Default: the root. */
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
