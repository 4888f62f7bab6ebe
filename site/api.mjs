import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { Application } from 'typedoc';

/** The modules of core that have a page. Others re-export these, or are one function. */
const core = ['index', 'jwt', 'adapters', 'binding', 'sessions', 'account', 'errors', 'types'];

/**
 * Returns the modules that have a page: those of core, and the main module of each other library.
 *
 * @param {string} packages The folder of the packages.
 */
function modulesIn(packages) {
  const others = readdirSync(packages).filter(
    (name) => name !== 'core' && existsSync(join(packages, name, 'src/index.ts')),
  );
  return [...core.map((name) => `core/src/${name}.ts`), ...others.map((name) => `${name}/src/index.ts`)];
}

/**
 * Writes a page for each public module, from its comments.
 *
 * @param {string} root The repository's folder.
 * @param {string} output The folder for the pages.
 */
export async function writeApi(root, output) {
  const temporary = mkdtempSync(join(tmpdir(), 'latchkey-api-'));
  try {
    const application = await Application.bootstrapWithPlugins({
      entryPoints: modulesIn(join(root, 'packages')).map((path) => join(root, 'packages', path)),
      plugin: ['typedoc-plugin-markdown'],
      tsconfig: join(root, 'site/tsconfig.api.json'),
      basePath: join(root, 'packages'),
      displayBasePath: join(root, 'packages'),
      out: temporary,
      router: 'module',
      readme: 'none',
      // `npm run typecheck` checks the types.
      skipErrorChecking: true,
      excludeExternals: true,
      excludeInternal: true,
      excludePrivate: true,
      disableSources: true,
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      logLevel: 'Error',
    });
    const project = await application.convert();
    if (!project) throw new Error('TypeDoc cannot read the packages');
    await application.generateOutputs(project);
    mkdirSync(output, { recursive: true });
    for (const file of readdirSync(temporary, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.md') && file !== 'README.md')
        writeFileSync(join(output, `${nameOf(file)}.md`), page(temporary, file));
    }
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** `core/src/jwt.md` is at `/api/core-jwt/`. */
function nameOf(file) {
  return file
    .replace(/\.md$/, '')
    .replace(/\/src(\/|$)/, '-')
    .replace(/-$/, '');
}

function page(folder, file) {
  const module = `@latchkey/${nameOf(file).replace(/^core-/, 'core/')}`;
  const body = readFileSync(join(folder, file), 'utf8')
    .replace(/^# .*\n/, '')
    .replaceAll(/<a id="[^"]*"><\/a> /g, '')
    .replaceAll(/\]\(([^)\s#]*)(#[^)\s]*)?\)/g, (whole, path, anchor = '') => {
      if (/^https?:/.test(path)) return whole;
      const target = path === '' ? file : posix.join(dirname(file), path);
      const hash = anchorIn(join(folder, target), anchor);
      if (path === '') return hash ? `](${hash})` : `](/api/${nameOf(file)}/)`;
      return `](/api/${nameOf(target)}/${hash})`;
    });
  return `---\ntitle: ${JSON.stringify(module)}\ndescription: The public declarations of ${module}.\n---\n\n${body}`;
}

/**
 * Returns the anchor of a link; '' without a heading. Only the headings of declarations are targets, not rows and
 * members. A repeated heading has a number at its end. TypeDoc numbers more: `VisitRequest` because of the member
 * `Visit.request`.
 */
function anchorIn(file, anchor) {
  const headings = readFileSync(file, 'utf8').match(/(?<=^#{2,3} ).*$/gm) ?? [];
  const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, ''));
  const [, name = '', number = '0'] = /^#(.*?)(?:-(\d+))?$/.exec(anchor) ?? [];
  const count = names.filter((each) => each === name).length;
  if (count === 0) return '';
  return count > Number(number) ? anchor : `#${name}`;
}
