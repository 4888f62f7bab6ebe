import { spawnSync } from 'node:child_process';
import { Problem } from './problem.mjs';

/**
 * Runs npm to its end and returns what it printed; its complaints go to our stderr.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @returns {string}
 */
export function npm(args, cwd) {
  // npm tells its scripts where it is; without that we take the one on the PATH.
  const cli = process.env['npm_execpath'];
  const [command, first] = cli?.endsWith('npm-cli.js') ? [process.execPath, [cli]] : ['npm', []];
  const { status, error, stdout } = spawnSync(command, [...first, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (error && 'code' in error && error.code === 'ENOENT') throw new Problem('npm was not found: install npm 11');
  if (error) throw error;
  if (status !== 0) throw new Problem(`npm ${args[0]} failed: see above, then run it yourself in ${cwd}`);
  return stdout;
}
