import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * An integration that corrects the built pages, before the search reads them. Tables and code scroll on narrow screens,
 * so the keyboard must reach them (WCAG 2.1.1). An empty cell of a table's first row is not a header.
 */
export const accessible = {
  name: 'accessible',
  hooks: {
    'astro:build:done': ({ dir }) => {
      const folder = fileURLToPath(dir);
      for (const file of globSync('**/*.html', { cwd: folder })) {
        const html = readFileSync(join(folder, file), 'utf8');
        writeFileSync(
          join(folder, file),
          html
            .replaceAll('<table>', '<table tabindex="0">')
            .replaceAll(/<pre (?=data-language)/g, '<pre tabindex="0" ')
            .replaceAll(/<th[^>]*><\/th>/g, '<td></td>')
            // Searches find guides and reference before these.
            .replace('data-pagefind-body', (body) =>
              /^(api|decisions)\//.test(file) ? `${body} data-pagefind-weight="0.3"` : body,
            ),
        );
      }
    },
  },
};
