import { mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { exitWith, Problem, run } from '../../scripts/run.mjs';
import { install, root, setup } from '../../scripts/setup.mjs';
import { parts } from './parts.mjs';

const HELP = `npm run mutation [-- <part> … --one-in=<n> --concurrency=<n>]; parts: ${Object.keys(parts).join(', ')}`;
const folder = join(root, 'test/mutation');
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');

// `npm run mutation`: changes the sources one place at a time and runs the tests on each change. Results are kept in
// `test/mutation/.data`: after Ctrl-C the next run continues, and after an edit it runs only what the edit concerns.
await exitWith(async () => {
  const options = optionsOf(process.argv.slice(2));
  const { node } = setup();
  install(folder);
  mkdirSync(join(folder, '.data'), { recursive: true });
  for (const part of options.parts) {
    const started = Date.now();
    const file = `test/mutation/.data/${part.replaceAll('/', '-')}${options.oneIn === 1 ? '' : `-${options.oneIn}`}.json`;
    const env = {
      ...process.env,
      MUTATION_PART: part,
      MUTATION_FILE: file,
      MUTATION_ONE_IN: String(options.oneIn),
      MUTATION_CONCURRENCY: String(options.concurrency),
    };
    console.log(`latchkey: mutating ${part}`);
    const code = await run(node, [stryker, 'run', 'test/mutation/stryker.config.mjs'], { cwd: root, env });
    if (code !== 0) return code;
    console.log(`latchkey: ${part}: ${figures(join(root, file))}, ${Math.round((Date.now() - started) / 60_000)} min`);
  }
  return 0;
});

/** @param {readonly string[]} args */
function optionsOf(args) {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const chosen = Object.keys(parts).filter(
    (part) => named.length === 0 || named.some((name) => part === name || part.startsWith(`${name}/`)),
  );
  const unknown = named.find((name) => !chosen.some((part) => part === name || part.startsWith(`${name}/`)));
  if (unknown !== undefined) throw new Problem(`there is no part "${unknown}". ${HELP}`);
  return {
    parts: chosen,
    oneIn: numberOf(args, 'one-in', 1),
    concurrency: numberOf(args, 'concurrency', Math.max(1, availableParallelism() - 1)),
  };
}

/** @type {(args: readonly string[], name: string, otherwise: number) => number} */
function numberOf(args, name, otherwise) {
  const given = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const number = given === undefined ? otherwise : Number(given);
  if (!Number.isInteger(number) || number < 1) throw new Problem(`--${name} takes a whole number. ${HELP}`);
  return number;
}

/** @param {string} file */
function figures(file) {
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const mutants = Object.values(report.files).flatMap((each) => each.mutants);
  /** @param {string} status */
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  const noticed = count('Killed') + count('Timeout');
  const missed = count('Survived') + count('NoCoverage');
  const score = ((100 * noticed) / (noticed + missed)).toFixed(1);
  const invalid = count('RuntimeError');
  return (
    `${noticed + missed} mutants, ${count('Killed')} killed, ${count('Timeout')} timed out, ${missed} survived, ` +
    `${count('CompileError')} not in the sample, ${invalid} invalid: ${score}%`
  );
}
