import { existsSync } from 'node:fs';
import { installDebian } from './debian.mjs';
import { Problem } from './problem.mjs';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Most tests need no more of it than this, which is lighter. */
const shell = '/usr/bin/chromium-headless-shell';
const advice = 'install Chromium (Debian: apt-get install chromium) or set CHROMIUM_PATH to its program';

/**
 * The path of Chromium, installed first where that is possible (as root on Debian). Without one the browser tests are
 * skipped, and under `CI=true` that is a failure.
 *
 * @returns {Promise<string | undefined>}
 */
export async function browser() {
  if (!find() || !existsSync(shell)) await installDebian('chromium', 'chromium-headless-shell');
  const found = find();
  if (found) return found;
  if (process.env['CI'] === 'true') throw new Problem(`no Chromium for the browser tests: ${advice}`);
  console.log(`latchkey: no Chromium, so the browser tests are skipped: ${advice}`);
  return undefined;
}

function find() {
  const named = process.env['CHROMIUM_PATH'];
  if (named && !existsSync(named)) throw new Problem(`CHROMIUM_PATH names ${named}, which does not exist`);
  return named || usual.find((path) => existsSync(path));
}
