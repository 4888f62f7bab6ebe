import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { transformSync } from 'esbuild';
import { exitWith, Problem } from '../../../scripts/run.mjs';

/** The scripts of the pages: `packages/core/page/<name>.ts`. */
const scripts = [
  { name: 'page', constant: 'pageScript', comment: 'The script of all pages.' },
  { name: 'passkey', constant: 'passkeyScript', comment: 'The script of pages with passkeys.' },
] as const;

// `npm run page-script` writes the scripts of the pages. With `--check`, it fails if a file is out of date.
await exitWith(async () => {
  for (const script of scripts) {
    const target = new URL(`../src/views/${script.name}-script.ts`, import.meta.url);
    const text = moduleOf(script);
    const stale = !existsSync(target) || readFileSync(target, 'utf8') !== text;
    if (stale && process.argv.includes('--check'))
      throw new Problem(`stale: packages/core/src/views/${script.name}-script.ts. Run \`npm run page-script\``);
    if (stale) writeFileSync(target, text);
  }
  return 0;
});

/** Returns a source after the files that it imports, each once, without types. */
function bundled(file: URL, seen: Set<string>): string {
  if (seen.has(file.href)) return '';
  seen.add(file.href);
  const own = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  const imports = /^import [^;]*? from '([^']+)';$/gm;
  const others = [...own.matchAll(imports)].map(([, path = '']) => bundled(new URL(path, file), seen));
  return [...others, own.replace(imports, '').replace(/^export /gm, '')].join('\n');
}

/**
 * Returns a module that exports the minified script as text. Each bundle that can render a page contains it.
 *
 * @throws {Problem} if the script contains characters that end a template literal.
 */
function moduleOf({ name, constant, comment }: (typeof scripts)[number]): string {
  const script = bundled(new URL(`../page/${name}.ts`, import.meta.url), new Set());
  const { code } = transformSync(script, { minify: true, format: 'esm', target: 'es2022', charset: 'utf8' });
  const plain = code.trimEnd();
  if (/[`\\]|\$\{/.test(plain)) throw new Problem(`page/${name}.ts: write it without \`, \\ and \${`);
  return `// Written by \`npm run page-script\` from packages/core/page/${name}.ts.

/** ${comment} */
export const ${constant}: string = \`${plain}
\`;
`;
}
