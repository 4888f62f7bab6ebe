import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
];

/**
 * A file that a page shows. It exists only in memory, in a folder beside the page, so that it imports the same
 * packages.
 */
interface Snippet {
  /** Page and line. */
  title: string;
  path: string;
  code: string;
}

/** A line that says which file follows: `// app/page.tsx`. */
const FILE = /^\/\/ ([^\s;]+\.tsx?)\b/;

/** The blocks of a page. One that names its files is cut into them, and they may import those of other blocks. */
function snippetsOf(page: string): Snippet[] {
  const folder = join(root, page.replace(/\.md$/, '.snippets'));
  const snippets: Snippet[] = [];
  let language: string | undefined;
  // A section of a guide for one framework has files of its own.
  let section = '';
  for (const [index, line] of read(page).split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line);
    const name = FILE.exec(line)?.[1];
    if (language === undefined && line.startsWith('## '))
      section = /^## (Express|Next\.js|SvelteKit)$/.exec(line)?.[1] ?? '';
    if (fence) language = language === undefined ? fence[1] : undefined;
    const isCode = language === 'ts' || language === 'tsx';
    const last = snippets.at(-1);
    if (isCode && (fence || name)) {
      const path = join(folder, section, name ?? `${index + 1}/block.${language}`);
      snippets.push({ title: `${page}:${index + 1}`, path, code: `${fence ? '' : line}\n` });
    } else if (isCode && last) last.code += `${line}\n`;
  }
  const filled = snippets.filter(({ code }) => code.trim() !== '');
  return unique(/\bnuxt\b/.test(page) ? filled.map(withAutoImports) : filled);
}

/** The functions that Nuxt imports into the files of a server, and how. The file of the page exports the last three. */
const autoImports: Readonly<Record<string, string>> = {
  defineNuxtConfig: 'declare function defineNuxtConfig(config: object): object;',
  defineEventHandler: "import { defineEventHandler } from 'h3';",
  sendRedirect: "declare function sendRedirect(event: import('h3').H3Event, location: string): unknown;",
  auth: "import { auth } from '../utils/auth.ts';",
  requireSession: "import { requireSession } from '../utils/auth.ts';",
  signOut: "import { signOut } from '../utils/auth.ts';",
};

/** At the end, so that the numbers of the lines stay. */
function withAutoImports(snippet: Snippet): Snippet {
  const used = Object.keys(autoImports).filter((name) => new RegExp(`\\b${name}\\(`).test(snippet.code));
  return { ...snippet, code: [snippet.code, ...used.map((name) => autoImports[name])].join('\n') };
}

/** Where a page shows a file twice, others import the first. */
function unique(snippets: readonly Snippet[]): Snippet[] {
  return snippets.map((snippet, index) => {
    const isFirst = snippets.findIndex(({ path }) => path === snippet.path) === index;
    return isFirst ? snippet : { ...snippet, path: join(dirname(snippet.path), `${index}-${basename(snippet.path)}`) };
  });
}

const snippets = pages.flatMap(snippetsOf);

/** SvelteKit 3 writes the types of this module, from `src/env.ts`. */
const environment = {
  path: join(root, 'docs/environment.d.ts'),
  code: "declare module '$app/env/private' { export const AUTH_SECRET: string | undefined; }",
};

/** The sources stand for the packages, as in all tests. */
function programOf(files: readonly Pick<Snippet, 'path' | 'code'>[]): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.test.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  Object.assign(options, {
    module: ts.ModuleKind.ESNext,
    // Next's files import one another without an extension.
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    jsx: ts.JsxEmit.ReactJSX,
    skipLibCheck: false,
  } satisfies ts.CompilerOptions);
  const code = new Map(files.map((file) => [file.path, file.code]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  // A section may import files that are the same for all frameworks.
  const codeAt = (path: string): string | undefined => code.get(path) ?? code.get(path.replace('/Express/', '/'));
  host.fileExists = (path) => codeAt(path) !== undefined || fileExists(path);
  host.readFile = (path) => codeAt(path) ?? readFile(path);
  host.directoryExists = (path) => path.includes('.snippets') || directoryExists?.(path) === true;
  return ts.createProgram([...code.keys()], options, host);
}

/** SvelteKit's tools add the types of these files' exports (`load({ locals })`), so applications do not write them. */
const isTypedByKit = (path: string, { code }: ts.Diagnostic): boolean =>
  basename(path).startsWith('+') && [7006, 7031].includes(code);

describe('every example of the documentation', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = programOf([...snippets, environment]);
  });

  it('is looked at', () => {
    expect(snippets.length).toBeGreaterThan(30);
  });

  it.each(snippets)('compiles as it is printed: $title', ({ path }) => {
    const file = program.getSourceFile(path);
    expect(file).toBeDefined();
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    const texts = found
      .filter((one) => !isTypedByKit(path, one))
      .map(({ start = 0, messageText }) => {
        const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
        return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      });
    expect(texts).toEqual([]);
  });
});
