import { browser as findBrowser } from './browser.mjs';
import { install, lockedFolders } from './install.mjs';
import { Problem } from './problem.mjs';
import { projectNode } from './project-node.mjs';
import { root } from './root.mjs';

/**
 * Brings what the commands need and is not there yet.
 *
 * @param {object} needs
 * @param {boolean} [needs.browser] Chromium, for the browser tests. Default: false.
 * @param {boolean} [needs.others] The packages under `test/peers` and `test/compat`. Default: false.
 * @returns {Promise<{ node: string, chromium: string | undefined }>} The paths of Node.js and, where asked for and found, Chromium.
 */
export async function setup({ browser = false, others = false } = {}) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Problem(`Node.js ${process.versions.node} is too old: install Node.js 20 or newer`);
  }
  for (const folder of others ? lockedFolders() : [root]) install(folder);
  return { node: projectNode(), chromium: browser ? await findBrowser() : undefined };
}
