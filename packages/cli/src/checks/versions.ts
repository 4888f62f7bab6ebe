import { type Installed, installedFrom, type Project } from '../load/project.ts';
import { sourcesIn } from '../load/sources.ts';
import type { Report } from './finding.ts';
import { satisfies } from './range.ts';

const LEAST_NODE = '>=22.12.0';
const BINDINGS = [
  'next',
  'sveltekit',
  'express',
  'hono',
  'h3',
  'nuxt',
  'fastify',
  'react-router',
  'astro',
  'tanstack-start',
];

/** Checks the versions of Node.js, of the framework and of the packages. */
export function checkVersions({ root, manifest }: Project, report: Report, node: string = process.versions.node): void {
  report.check(
    'node-version',
    !satisfies(node, LEAST_NODE) && {
      message: `Node.js ${node} is too old: Latchkey needs 22.12 or newer.`,
      remedy: 'Install a newer Node.js.',
      facts: { version: node },
    },
  );
  const own = Object.keys(manifest.dependencies).filter((name) => name.startsWith('@latchkey/'));
  const found = own.flatMap((name) => {
    const installed = installedFrom(root, name);
    return installed ? [{ name, ...installed }] : [];
  });
  checkFrameworks(root, found, report);
  const versions = new Set(found.map(({ version }) => version));
  report.check(
    'mixed-versions',
    versions.size > 1 && {
      message: `the versions of the @latchkey packages differ: ${found.map(({ name, version }) => `${name} ${version}`).join(', ')}.`,
      remedy: 'Install the same version of all of them.',
    },
  );
  checkCopies(root, found, report);
  checkLeftovers(root, report);
}

type Named = Installed & { readonly name: string };

function checkFrameworks(root: string, found: readonly Named[], report: Report): void {
  for (const { name, peers } of found.filter(({ name }) => BINDINGS.some((one) => name === `@latchkey/${one}`))) {
    for (const [framework, range] of Object.entries(peers)) {
      const installed = installedFrom(root, framework);
      report.check(
        'framework-version',
        installed &&
          !satisfies(installed.version, range) && {
            message: `${name} supports ${framework} ${range}, but ${installed.version} is installed.`,
            remedy: `Install a supported version of ${framework}, or another version of ${name}.`,
            facts: { framework, version: installed.version, range },
          },
      );
    }
  }
}

/** Errors of one copy are not instances of the classes of the other. */
function checkCopies(root: string, found: readonly Named[], report: Report): void {
  const others = found.filter(({ name }) => name !== '@latchkey/core' && name !== '@latchkey/cli');
  const copies = [root, ...others.map(({ folder }) => folder)].flatMap((from) => {
    const core = installedFrom(from, '@latchkey/core');
    return core ? [core.folder] : [];
  });
  report.check(
    'two-cores',
    new Set(copies).size > 1 && {
      message: `${new Set(copies).size} copies of @latchkey/core are installed.`,
      remedy: 'Install the same version of all @latchkey packages, and run `npm dedupe`.',
      facts: { copies: new Set(copies).size },
    },
  );
}

/** Adapters of Auth.js work with Latchkey. */
const AUTH_JS = /\bfrom\s+['"]((?:next-auth|@auth\/(?!.*-adapter['"]))[^'"]*)['"]/;

function checkLeftovers(root: string, report: Report): void {
  const files: string[] = [];
  let name = '';
  for (const { path, text } of sourcesIn(root)) {
    const [, imported] = AUTH_JS.exec(text) ?? [];
    if (imported === undefined) continue;
    files.push(path);
    name = imported;
  }
  report.check(
    'auth-js-import',
    files.length > 0 && {
      level: 'warning',
      message: `${files.length === 1 ? `${files[0]} imports` : `${files.length} files (${files.slice(0, 3).join(', ')}${files.length > 3 ? ', …' : ''}) import`} Auth.js ("${name}").`,
      remedy: 'Import the same names from the @latchkey package of your framework.',
      facts: { files: files.length },
    },
  );
}
