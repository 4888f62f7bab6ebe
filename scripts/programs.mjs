import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Problem } from './run.mjs';

// The programs that tests need besides Node.js. As root on Debian they are installed. Elsewhere, if one is missing, its
// tests are skipped.

/**
 * @typedef {object} Program
 * @property {string} title
 * @property {readonly string[]} debian Its Debian packages.
 * @property {number} megabytes The space that the packages take, with those that they depend on.
 * @property {string} tests The tests that need it.
 * @property {string} reason Its purpose, as the end of a sentence: "nginx is the reverse proxy in front of the demos".
 * @property {() => boolean} isHere
 */

/** The usual places of Chromium. */
const chromiums = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Folders of programs that `PATH` may lack. */
export const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

/** The programs by their short names. */
export const programs = /** @satisfies {Record<string, Program>} */ ({
  chromium: {
    title: 'Chromium',
    // Most tests need no windows. The shell without windows is faster.
    debian: ['chromium', 'chromium-headless-shell'],
    megabytes: 800,
    tests: 'browser',
    reason: 'opens pages and whole applications',
    isHere: () => chromium() !== undefined,
  },
  nginx: {
    title: 'nginx',
    debian: ['nginx'],
    megabytes: 5,
    tests: 'demos behind TLS',
    reason: 'is the reverse proxy in front of the demos',
    isHere: () => findProgram('nginx', systemFolders) !== undefined,
  },
  postgres: {
    title: 'PostgreSQL',
    debian: ['postgresql'],
    megabytes: 200,
    tests: 'tests that start PostgreSQL',
    reason: 'is a store under test',
    isHere: () => findProgram('initdb', postgresFolders()) !== undefined,
  },
  mariadb: {
    title: 'MariaDB',
    // Only the programs: `mariadb-server` would add a service.
    debian: ['mariadb-server-core'],
    megabytes: 60,
    tests: 'tests that start MariaDB',
    reason: 'is a store under test',
    isHere: () => findProgram('mariadbd', systemFolders) !== undefined,
  },
  redis: {
    title: 'Redis',
    debian: ['redis-server'],
    megabytes: 10,
    tests: 'tests that start Redis',
    reason: 'is a store under test',
    isHere: () => findProgram('redis-server') !== undefined,
  },
});

/** Returns the programs of a list that are missing. */
export function missingPrograms(/** @type {readonly Program[]} */ wanted = Object.values(programs)) {
  return wanted.filter(({ isHere }) => !isHere());
}

/**
 * Installs the programs if this process is root on Debian.
 *
 * @param {readonly Program[]} missing
 * @returns {Promise<string[]>} The tests that are not run because a program is still missing, and why.
 * @throws {Problem} if a program is missing under `CI=true`, where no test is skipped.
 */
export async function installPrograms(missing) {
  if (missing.length > 0 && isRootOnDebian()) await aptInstall(missing.flatMap(({ debian }) => debian));
  const notRun = missingPrograms(missing).map(({ tests, title }) => `${tests} (no ${title}; see CONTRIBUTING)`);
  if (notRun.length > 0 && process.env['CI'] === 'true') {
    throw new Problem(`under CI=true nothing is skipped, but these tests cannot run: ${notRun.join(', ')}`);
  }
  return notRun;
}

/** Returns the path of Chromium: `CHROMIUM_PATH`, else the first usual place that exists, else undefined. */
export function chromium() {
  const named = process.env['CHROMIUM_PATH'];
  if (named && !existsSync(named)) throw new Problem(`CHROMIUM_PATH names ${named}, which does not exist`);
  return named || chromiums.find((path) => existsSync(path));
}

/**
 * Returns the path of a program: the first in `folders`, then in `PATH`; undefined if it is missing.
 *
 * @param {string} name
 * @param {readonly string[]} [folders]
 */
export function findProgram(name, folders = []) {
  const places = [...folders, ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean)];
  return places.map((folder) => join(folder, name)).find(isExecutable);
}

/** Returns the folders in which Debian keeps the programs of PostgreSQL, the newest version first. */
export function postgresFolders() {
  const parent = '/usr/lib/postgresql';
  const versions = existsSync(parent) ? readdirSync(parent).sort((one, other) => Number(other) - Number(one)) : [];
  return versions.map((version) => join(parent, version, 'bin'));
}

/** Tells whether this process may install Debian packages. */
export function isRootOnDebian() {
  try {
    return process.getuid?.() === 0 && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false; // not Linux
  }
}

/**
 * Installs packages. One installation runs at a time: a second one waits, and then finds the packages installed.
 * `policy-rc.d` is Debian's way to keep a package from starting its service.
 */
const script = `
  set -e
  if dpkg --status "$@" >/dev/null 2>&1; then exit 0; fi
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' >"$policy"
    chmod 755 "$policy"
  fi
  apt-get -qq update
  apt-get -qq install --yes --no-install-recommends "$@"
`;

/** @param {readonly string[]} packages */
async function aptInstall(packages) {
  console.log(`latchkey: installing ${packages.join(', ')} (apt-get install)`);
  const child = spawn('flock', ['/run/lock/latchkey-apt', 'sh', '-c', script, 'sh', ...packages], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
