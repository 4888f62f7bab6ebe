import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import apiExtractor from '@microsoft/api-extractor';
import { exitWith, Problem } from './run.mjs';
import { root } from './setup.mjs';

const { CompilerState, Extractor, ExtractorConfig } = apiExtractor;

/** A module that a package exports, and its declarations. */
interface Entry {
  /** Name of the report: `index`, `jwt` … */
  name: string;
  declarations: string;
}

/**
 * Static members that each error class replaces by a value of its own. The base class documents them, and
 * editors and the documentation site show its text.
 */
const inherited =
  /^ *\/\/ \(undocumented\)\n(?= *static (?:type: ErrorType|shown: string|kind: 'signIn' \| 'error');$)/gm;

const packages = readdirSync(join(root, 'packages')).filter((name) => entriesOf(name).length > 0);
const check = process.argv.includes('--check');

// `npm run api` writes `packages/<name>/api/<entry>.api.md`: the public declarations of each entry point of the built
// packages. `-- --check` compares them with the committed ones. Run `npm run build` first.
await exitWith(async () => {
  const changed = packages.flatMap((name) => (check ? differences(name) : write(name)));
  if (!check) {
    console.log(changed.join('\n'));
    return 0;
  }
  const undocumented = undocumentedIn(globSync('packages/*/api/*.api.md', { cwd: root }).sort());
  if (undocumented.length > 0) {
    throw new Problem(`public declarations without a docstring; document them:\n${undocumented.join('\n')}`);
  }
  if (changed.length === 0) return 0;
  throw new Problem(
    `the public interface has changed; read the difference after \`npm run api\`:\n${changed.join('\n')}`,
  );
});

/** Returns the declarations without a docstring, as `file:line: declaration`. */
function undocumentedIn(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, at) =>
      line.includes('(undocumented)') ? [`${file}:${at + 2}: ${lines[at + 1]?.trim()}`] : [],
    );
  });
}

/** Writes the reports of a package. Returns the paths of those that have changed. */
function write(name: string): string[] {
  const folder = join('packages', name, 'api');
  const wanted = reportsOf(name);
  mkdirSync(join(root, folder), { recursive: true });
  const stale = readdirSync(join(root, folder)).filter((file) => !wanted.has(file));
  for (const file of stale) rmSync(join(root, folder, file));
  const changed = [...wanted].filter(([file, text]) => committed(folder, file) !== text);
  for (const [file, text] of changed) writeFileSync(join(root, folder, file), text);
  return [...stale, ...changed.map(([file]) => file)].map((file) => join(folder, file));
}

/** Returns the paths of the reports that differ. Unchanged declarations are compared once. */
function differences(name: string): string[] {
  const folder = join('packages', name, 'api');
  const stamp = join(root, 'node_modules/.cache/api', name);
  const inputs = inputsOf(name);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return [];
  const wanted = reportsOf(name);
  const files = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  const names = [...new Set([...files, ...wanted.keys()])];
  const changed = names.filter((file) => committed(folder, file) !== wanted.get(file));
  if (changed.length > 0) return changed.map((file) => join(folder, file));
  mkdirSync(join(root, 'node_modules/.cache/api'), { recursive: true });
  writeFileSync(stamp, inputs);
  return [];
}

function committed(folder: string, file: string): string | undefined {
  const path = join(root, folder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Returns a hash of everything that the comparison reads. Declarations of other packages may appear in a report. */
function inputsOf(name: string): string {
  const files = ['core', name].flatMap((each) => globSync(`packages/${each}/dist/**/*.d.ts`, { cwd: root }));
  const reports = globSync(`packages/${name}/api/*`, { cwd: root });
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const file of [...files, ...reports].sort()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Returns the reports of a package, by file name. */
function reportsOf(name: string): Map<string, string> {
  const temporary = join(root, 'node_modules/.cache/api-reports', name);
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const entries = entriesOf(name);
  const configurations = entries.map((entry) => configurationOf(name, entry, temporary));
  const [first] = configurations;
  if (!first) return new Map();
  const files = entries.map(({ declarations }) => declarations);
  const compilerState = CompilerState.create(first, { additionalEntryPoints: files });
  for (const configuration of configurations) {
    Extractor.invoke(configuration, {
      localBuild: true,
      compilerState,
      // The reports hold what matters. The compiler, biome and the style checker find the rest.
      messageCallback: (message) => {
        message.handled = true;
      },
    });
  }
  const reports = readdirSync(temporary).map((file): [string, string] => {
    return [file, readFileSync(join(temporary, file), 'utf8').replace(inherited, '')];
  });
  return new Map([...reports, ...providerList(name)]);
}

function configurationOf(name: string, entry: Entry, temporary: string): apiExtractor.ExtractorConfig {
  const folder = join(root, 'packages', name);
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: [],
  };
  const silent = { default: { logLevel: apiExtractor.ExtractorLogLevel.None } };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: entry.declarations,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [entry.declarations] } },
      apiReport: {
        enabled: true,
        reportFolder: temporary,
        reportTempFolder: `${temporary}-new`,
        reportFileName: entry.name,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: silent,
        compilerMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
    configObjectFullPath: join(folder, 'api-extractor.json'),
    packageJsonFullPath: join(folder, 'package.json'),
  });
}

/** Returns the entry points of a package. Those behind a wildcard are in {@link providerList}. */
function entriesOf(name: string): Entry[] {
  const folder = join(root, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports?: Record<string, string | { types?: string }>;
  };
  return Object.entries(exports ?? {}).flatMap(([path, target]) => {
    if (typeof target === 'string' || target.types === undefined || path.includes('*')) return [];
    const entry = path === '.' ? 'index' : path.slice(2).replaceAll('/', '-');
    return [{ name: entry, declarations: join(folder, target.types) }];
  });
}

/** Returns one list for all providers of core: the declaration of each. The bindings re-export them. */
function providerList(name: string): [string, string][] {
  if (name !== 'core') return [];
  const folder = join(root, 'packages/core/dist/providers');
  const files = readdirSync(folder).filter((file) => file.endsWith('.d.ts') && file !== 'index.d.ts');
  const sections = files.sort().map((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').match(/^(export|declare) (?!type \{|\{\}).*$/gm) ?? [];
    return `## ${file.slice(0, -5)}\n\n${lines.map((line) => `    ${line}`).join('\n')}\n`;
  });
  return [['provider-modules.api.md', `# Providers of "@latchkey/core/providers/*"\n\n${sections.join('\n')}`]];
}
