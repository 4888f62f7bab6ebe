import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentIn } from './environment.mjs';

/**
 * The result of a runtime.
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {number} passed
 * @property {readonly { readonly name: string, readonly error: string }[]} failures
 * @property {boolean | undefined} missing
 */

/** Prefix of the report, see `launch/task.ts`. */
const MARK = 'latchkey-report: ';
/** Milliseconds for all flows of a runtime; they take a second or two. */
const patience = 180_000;

/**
 * Runs all flows on each runtime, and then on each what all the others have sealed.
 *
 * @param {string} folder
 * @param {import('./programs.mjs').Program[]} programs
 * @returns {Result[]}
 */
export function run(folder, programs) {
  const named = programs.map((program) => ({ ...program, name: nameOf(program, folder) }));
  const first = named.map((program) => ({ program, ...ask(folder, program, []) }));
  const sealed = first.flatMap((result) => result.sealed ?? []);
  return first.map(({ program, passed, failures, missing, sealed: own }) => {
    const others = sealed.filter(({ by }) => by !== program.name);
    const result = { name: program.name, passed, failures, missing };
    if (!own || others.length === 0) return result;
    const second = ask(folder, program, others);
    return { ...result, passed: passed + second.passed, failures: [...failures, ...second.failures] };
  });
}

/**
 * @param {string} folder
 * @param {import('./programs.mjs').Program} program
 * @param {import('../portable/case.ts').Sealed[]} fromOthers
 * @returns {import('../portable/main.ts').Report & { missing?: boolean }}
 */
function ask(folder, { name, engine, command, args }, fromOthers) {
  if (!command) {
    const mustBeThere = process.env['CI'] === 'true';
    const error = 'it is not on this machine, and CI=true asks for every runtime';
    return { passed: 0, failures: mustBeThere ? [{ name: 'starts', error }] : [], missing: !mustBeThere };
  }
  const task = join(folder, `${name.replaceAll(/[^\w.]+/g, '-')}-${fromOthers.length}.json`);
  writeFileSync(task, JSON.stringify({ by: name, engine, fromOthers }));
  const { status, signal, stdout, stderr, error } = spawnSync(command, args(folder, task), {
    cwd: folder,
    env: environmentIn(folder),
    encoding: 'utf8',
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  const line = stdout?.split('\n').find((text) => text.includes(MARK));
  if (line && status === 0) return JSON.parse(line.slice(line.indexOf(MARK) + MARK.length));
  const how = error?.message ?? `ended with ${signal ?? status} and without a report`;
  return { passed: 0, failures: [{ name: 'runs to its end', error: `${how}\n${stdout ?? ''}${stderr ?? ''}` }] };
}

/**
 * `node 24.21.0 (node:crypto)`
 *
 * @param {import('./programs.mjs').Program} program
 * @param {string} folder
 */
function nameOf({ name, command, engine }, folder) {
  const [runtime, ...mode] = name.split(' ');
  const said = command && spawnSync(command, ['--version'], { encoding: 'utf8', env: environmentIn(folder) }).stdout;
  const version = /\d[\d.-]*\d/.exec(said ?? '')?.[0];
  const how = [...mode, engine === 'node' ? 'node:crypto' : 'WebCrypto'].join(', ');
  return `${[runtime, version].filter(Boolean).join(' ')} (${how})`;
}
