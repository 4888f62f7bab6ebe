import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const run = new URL('../scripts/run.mjs', import.meta.url).href;
const endWithParent = fileURLToPath(new URL('../scripts/end-with-parent.mjs', import.meta.url));

/** Prints its id, then each signal that it gets. Ends a little after the first signal. */
const child = `
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
    console.log(signal);
    setTimeout(() => process.exit(7), 300);
  });
  setInterval(() => {}, 1000);
  console.log('pid ' + process.pid);
`;
const outer = `
  import { run } from '${run}';
  process.exitCode = await run(process.execPath, ['--import', '${endWithParent}', '-e', ${JSON.stringify(child)}]);
`;

/** Starts the outer program and waits until the inner one has started. */
async function started() {
  const program = spawn(process.execPath, ['--input-type=module', '-e', outer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const closed = once(program, 'close');
  await new Promise<void>((resolve) => {
    program.stdout.on('data', (chunk) => {
      output += chunk;
      resolve();
    });
  });
  return { program, closed, output: () => output.replace(/^pid \d+\n/, '') };
}

describe.skipIf(process.platform === 'win32')('run', () => {
  it('passes the first of several signals on, and gives the exit code of the program', async () => {
    const { program, closed, output } = await started();
    program.kill('SIGINT');
    setTimeout(() => program.kill('SIGINT'), 50);
    setTimeout(() => program.kill('SIGTERM'), 100);
    expect(await closed).toEqual([7, null]);
    expect(output()).toBe('SIGINT\n');
  });

  it('leaves no program behind when it is killed itself', async () => {
    const { program, closed, output } = await started();
    program.kill('SIGKILL');
    // The program holds the pipe open until it ends.
    await closed;
    expect(output()).toBe('SIGTERM\n');
  });
});
