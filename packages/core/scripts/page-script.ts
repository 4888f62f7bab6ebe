import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { transformSync } from 'esbuild';
import { exitWith, Problem } from '../../../scripts/problem.mjs';

const source = new URL('../page/passkey.ts', import.meta.url);
const target = new URL('../src/views/passkey-script.ts', import.meta.url);

// `npm run page-script` writes the script that our pages load. `--check` fails where it is stale.
await exitWith(async () => {
  const text = moduleOf(bundled(source, new Set()));
  const stale = !existsSync(target) || readFileSync(target, 'utf8') !== text;
  if (stale && process.argv.includes('--check'))
    throw new Problem('stale: packages/core/src/views/passkey-script.ts. Run `npm run page-script`');
  if (stale) writeFileSync(target, text);
  return 0;
});

/** A file with what it imports before it, each once, without types. */
function bundled(file: URL, seen: Set<string>): string {
  if (seen.has(file.href)) return '';
  seen.add(file.href);
  const own = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  const imports = /^import [^;]*? from '([^']+)';$/gm;
  const others = [...own.matchAll(imports)].map(([, path = '']) => bundled(new URL(path, file), seen));
  return [...others, own.replace(imports, '').replace(/^export /gm, '')].join('\n');
}

/**
 * A module that has the script as text, minified: it is part of every bundle that can show a page.
 *
 * @throws {Problem} when the script has what would end the text.
 */
function moduleOf(script: string): string {
  const { code } = transformSync(script, { minify: true, format: 'esm', target: 'es2022', charset: 'utf8' });
  const plain = code.trimEnd();
  if (/[`\\]|\$\{/.test(plain)) throw new Problem('page/passkey.ts: write it without `, \\ and ${');
  return `// Written by \`npm run page-script\` from packages/core/page/passkey.ts.

/** The script of pages with passkeys. */
export const passkeyScript: string = \`${plain}
\`;
`;
}
