import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { announcement } from './announcement.mjs';
import { chromium, installPrograms, isRootOnDebian, missingPrograms } from './programs.mjs';
import { exitWith, run } from './run.mjs';
import { build, isInstalled, lockedFolders, root, setup } from './setup.mjs';

// `npm test`: installs, builds, and runs the tests of all projects but `applications` and `majors`. Arguments go to
// vitest: `npm test -- packages/core/test/arrows.test.ts`.
// `npm run test:quick`: the project `quick`, which needs no build, server, browser or further packages.
// `npm run test:applications`: applications that are built for production; about as long as `npm test`.
// `npm run test:majors`: the bindings on earlier versions of frameworks with a build.
// `npm run test:loaded`: the tests of `npm test`, with two busy processes for each processor.
await exitWith(async () => {
  const [tier, args] = tierOf(process.argv.slice(2));
  if (tier === 'quick') return vitest(setup().node, ['--project=quick', ...args]);
  const missing = missingPrograms();
  const chosen = choosesTests(args) ? args : ['--project=!applications', '--project=!majors', ...args];
  const folders = lockedFolders(neededBy(chosen));
  const installed = isRootOnDebian() ? missing : [];
  for (const line of announcement(
    folders.filter((folder) => !isInstalled(folder)),
    installed,
  ))
    console.log(line);
  const { node } = setup(folders);
  const notRun = await installPrograms(missing);
  for (const tests of notRun) console.log(`latchkey: not run: ${tests}`);
  await build(node);
  const path = chromium();
  const env = { LATCHKEY_NOT_RUN: notRun.join('\n'), ...(path && { CHROMIUM_PATH: path }) };
  const load = tier === 'loaded' ? startLoad(node) : [];
  try {
    return await vitest(node, chosen, env);
  } finally {
    for (const child of load) child.kill('SIGKILL');
  }
});

/** Returns whether arguments of vitest name projects, files or titles. */
function choosesTests(/** @type {string[]} */ args) {
  return args.some((arg) => !arg.startsWith('-') || arg.startsWith('--project'));
}

/** Returns the tests whose packages are needed. Other arguments may name any file. */
function neededBy(/** @type {string[]} */ [project]) {
  if (project === '--project=!applications') return 'without applications';
  return project === '--project=applications' ? 'applications' : 'all';
}

/**
 * @param {string[]} args
 * @returns {['quick' | 'loaded' | 'all', string[]]}
 */
function tierOf([first, ...others]) {
  if (first === '--quick') return ['quick', others];
  if (first === '--loaded') return ['loaded', others];
  return ['all', first === undefined ? [] : [first, ...others]];
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {Record<string, string>} [own]
 */
function vitest(node, args, own) {
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env['PATH']].join(delimiter),
    // Without a cache, Node.js compiles the same modules for hundreds of programs.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...own,
  };
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], { cwd: root, env });
}

/** Starts two busy processes for each processor. They end with this process. */
function startLoad(/** @type {string} */ node) {
  // Pauses every 100 ms, so that the timer that checks the parent can run.
  const spin =
    'const spin = () => { const end = Date.now() + 100; while (Date.now() < end); setImmediate(spin); }; spin();';
  const args = ['--import', './scripts/end-with-parent.mjs', '--eval', spin];
  return Array.from({ length: 2 * availableParallelism() }, () => spawn(node, args, { cwd: root, stdio: 'ignore' }));
}
