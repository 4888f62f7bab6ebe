import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/setup.mjs';

/** The bindings that existed before this limit. */
const older = ['express', 'next', 'sveltekit'];

const bindings = readdirSync(join(root, 'packages')).filter((name) => {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  return name !== 'core' && !older.includes(name) && exports?.['./providers/*'];
});

const isClient = (file: string): boolean => /^(client|webauthn)\b/.test(file);
/** Code of pages, on the server and in the browser: in Nuxt `useAuth()`, its plugin and the guard of pages. */
const isPage = (file: string): boolean => file.startsWith('app/');

/** Each binding passes on the same names of core. */
const isNameOfCore = (node: ts.Node): boolean =>
  ts.isExportDeclaration(node) && node.moduleSpecifier?.getText().includes('@latchkey/core') === true;

/** Counts the lines that have code, and not only a comment or names of core. */
function codeLines(path: string): number {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node) || isNameOfCore(node) || node.kind === ts.SyntaxKind.EndOfFileToken) return;
    const children = node.getChildren(source);
    for (const child of children) visit(child);
    if (children.length > 0 || node.getWidth(source) === 0) return;
    for (let line = lineOf(node.getStart(source)); line <= lineOf(node.end); line++) lines.add(line);
  };
  visit(source);
  return lines.size;
}

describe.each(bindings)('the binding %s', (name) => {
  const folder = join(root, 'packages', name, 'src');
  const files = globSync('**/*.{ts,tsx,vue,js}', { cwd: folder });
  const sum = (list: readonly string[]) => list.reduce((total, file) => total + codeLines(join(folder, file)), 0);

  it('has at most 200 lines of server code', () => {
    expect(sum(files.filter((file) => !isClient(file) && !isPage(file)))).toBeLessThanOrEqual(200);
  });

  it('has at most 80 lines of client code', () => {
    expect(sum(files.filter(isClient))).toBeLessThanOrEqual(80);
  });

  it('has at most 150 lines of code of pages', () => {
    expect(sum(files.filter(isPage))).toBeLessThanOrEqual(150);
  });
});
