import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import links from 'starlight-links-validator';
import languageModels from 'starlight-llms-txt';
import { accessible } from './accessible.mjs';
import { sidebar } from './sidebar.mjs';

const { homepage, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export default defineConfig({
  // Sitemap and `llms.txt` need whole URLs. The owner of the project sets `homepage`.
  site: homepage ?? 'https://latchkey.example',
  trailingSlash: 'always',
  integrations: [
    accessible,
    starlight({
      title: 'Latchkey',
      description,
      sidebar,
      customCss: ['./src/latchkey.css'],
      credits: false,
      lastUpdated: false,
      plugins: [
        links({ errorOnLocalLinks: false }),
        languageModels({
          projectName: 'Latchkey',
          description,
          exclude: ['decisions/**', 'changelog', 'providers/*', 'api/**'],
        }),
      ],
    }),
  ],
});
