import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Baseline, countFindings, grownRules, worseThan } from './prose/baseline.ts';
import { type Finding, findingsIn } from './prose/findings.ts';
import { root } from './setup.mjs';

const baselinePath = join(root, 'prose-baseline.json');
const prose = /\.(md|ts|tsx|mjs|svelte)$/;
/** Written by a script, licensed by others, or data. */
const excluded = [
  /(^|\/)LICENSE/,
  /(^|\/)fixtures\//,
  /^docs\/providers\.md$/,
  /^packages\/core\/src\/icons\//,
  /^packages\/core\/src\/views\/passkey-script\.ts$/,
  /\.d\.ts$/,
];

const [first, ...others] = process.argv.slice(2);
if (first === '--update') await update();
else if (first !== undefined) show(await findingsIn(filesBelow([first, ...others])));
else await check();

/** Fails if a file has more findings of a rule than the baseline allows. */
async function check(): Promise<void> {
  const findings = await findingsIn(filesBelow([]));
  const baseline = readBaseline() ?? {};
  const worse = worseThan(baseline, findings);
  show(worse);
  if (worse.length > 0) {
    console.error(
      'These files have more findings of a rule than prose-baseline.json allows. Rewrite what you changed:',
    );
    console.error('prose.yml has the wording rules. If a file moved, run `npm run prose -- --update`.');
    process.exitCode = 1;
  } else if (JSON.stringify(countFindings(findings)) !== JSON.stringify(baseline)) {
    console.log('The texts are better than the baseline. Run `npm run prose -- --update` to keep it so.');
  }
}

/** Writes the baseline, unless a rule has more findings in total than before. */
async function update(): Promise<void> {
  const before = readBaseline();
  const next = countFindings(await findingsIn(filesBelow([])));
  const grown = before ? grownRules(before, next) : [];
  if (grown.length > 0) {
    console.error(`The baseline was not written: there are more findings of ${grown.join(', ')} than before.`);
    console.error('Run `npm run prose` to see them.');
    process.exitCode = 1;
    return;
  }
  writeFileSync(baselinePath, `${JSON.stringify(next, null, 2)}\n`);
}

function readBaseline(): Baseline | undefined {
  return existsSync(baselinePath) ? JSON.parse(readFileSync(baselinePath, 'utf8')) : undefined;
}

/** Returns the hand-written texts that git knows or would add, below these paths. */
function filesBelow(paths: readonly string[]): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--'];
  const below = paths.map((path) => relative(root, resolve(path)));
  const files = execFileSync('git', [...list, ...below], { cwd: root, encoding: 'utf8' }).split('\n');
  const isProse = (path: string): boolean => prose.test(path) && !excluded.some((pattern) => pattern.test(path));
  return files.filter((path) => isProse(path) && existsSync(join(root, path)));
}

function show(findings: readonly Finding[]): void {
  for (const { path, line, rule, message } of findings) console.log(`${path}:${line} ${rule}: ${message}`);
  console.log(`${findings.length} findings`);
}
