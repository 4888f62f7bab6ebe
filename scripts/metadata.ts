import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { exitWith, Problem } from './run.mjs';
import { root } from './setup.mjs';

/** The members of a `package.json` that this script reads or writes. */
interface Manifest {
  name: string;
  author?: string;
  homepage?: string;
  keywords?: string[];
  repository?: { type: string; url: string; directory?: string };
  bugs?: { url: string };
  publishConfig?: object;
  scripts?: Record<string, string>;
}

/** The repository that documents and packages name until the owner of the project sets another. */
const placeholder = 'github.com/latchkey-auth/latchkey';

const project = manifestIn(root);
const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));

// `npm run metadata` writes what npm shows of a package into each `package.json`, from the `package.json` of the
// repository. `-- --check` compares. `-- --publish`, which runs before each publication, refuses placeholders.
await exitWith(async () => {
  if (process.argv.includes('--publish')) return refusePlaceholders();
  const changed = folders.filter((folder) => textOf(manifestIn(folder)) !== textOf(described(folder)));
  if (process.argv.includes('--check') && changed.length > 0) {
    const names = changed.map((folder) => relative(root, folder)).join(', ');
    throw new Problem(`run \`npm run metadata\`, because the metadata of these packages differs: ${names}`);
  }
  for (const folder of changed) writeFileSync(join(folder, 'package.json'), `${textOf(described(folder))}\n`);
  return 0;
});

/** Returns the `package.json` of a package as it should be. */
function described(folder: string): Manifest {
  const { name, ...own } = manifestIn(folder);
  const directory = relative(root, folder);
  const repository = project.repository?.url ?? '';
  const site = repository.replace(/^git\+|\.git$/g, '');
  const keywords = [...new Set([...(project.keywords ?? []), ...(own.keywords ?? [])])];
  return {
    ...own,
    name,
    ...(project.author && { author: project.author }),
    keywords,
    homepage: project.homepage ?? `${site}/tree/main/${directory}#readme`,
    repository: { type: 'git', url: repository, directory },
    bugs: project.bugs ?? { url: `${site}/issues` },
    publishConfig: { access: 'public', provenance: true },
    scripts: { ...own.scripts, prepublishOnly: 'node ../../scripts/metadata.ts --publish' },
  };
}

function refusePlaceholders(): number {
  const missing = [
    project.author === undefined && '`author`: your name and address',
    project.homepage === undefined && '`homepage`: the URL of the documentation site',
    project.repository?.url.includes(placeholder) !== false && `\`repository\`: it still is ${placeholder}`,
  ].filter((line) => line !== false);
  if (missing.length === 0) return 0;
  const list = missing.map((line) => `  ${line}`).join('\n');
  throw new Problem(`before you publish, set these members of package.json, then run \`npm run metadata\`:\n${list}`);
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Members in the order that npm documents. Unknown members keep their place after them. */
function textOf(manifest: Manifest): string {
  const first = ['name', 'version', 'description', 'keywords', 'license', 'author', 'homepage', 'repository', 'bugs'];
  const known = Object.fromEntries(
    first.flatMap((key) => (key in manifest ? [[key, manifest[key as keyof Manifest]]] : [])),
  );
  return JSON.stringify({ ...known, ...manifest, ...known }, null, 2);
}
