import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem } from '../port.ts';
import { runProgram, startProgram, untilAnswers } from '../program.ts';

/** Writes a program into a folder of its own. */
function program(text: string): { file: string; options: { cwd: string; env: Record<string, string> } } {
  const cwd = mkdtempSync(join(tmpdir(), 'latchkey-program-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const file = join(cwd, 'program.mjs');
  writeFileSync(file, text);
  return { file, options: { cwd, env: {} } };
}

describe('a program that a demo runs', () => {
  it('reports all its output if it fails', async () => {
    const { file, options } = program(`console.log('first'); console.error('second'); process.exitCode = 3;`);
    const failure = await runProgram(file, ['build'], options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect(String(failure)).toMatch(/build ended with 3:\n(first\nsecond|second\nfirst)\n/);
  });

  it('is waited for until it answers', async () => {
    const text = `import { createServer } from 'node:http';
createServer((_, response) => response.end('here')).listen(0, 'localhost', function () { console.log(this.address().port); });`;
    const { file, options } = program(text);
    const child = startProgram(file, [], options);
    onTestFinished(() => void child.kill());
    const [port] = await once(child.stdout ?? child, 'data');
    await untilAnswers(child, `http://localhost:${Number(String(port))}`);
  });

  it('is not waited for when it has ended', async () => {
    const { file, options } = program(`console.error('no port is free');`);
    const wait = untilAnswers(startProgram(file, [], options), 'http://localhost:1');
    await expect(wait).rejects.toThrow(/ended:\nno port is free/);
  });

  it('ends with its parent, even if the parent was killed', async () => {
    const { file, options } = program(`setInterval(() => {}, 1000); console.log(process.pid);`);
    const parent =
      program(`import { startProgram } from ${JSON.stringify(new URL('../program.ts', import.meta.url).href)};
startProgram(${JSON.stringify(file)}, [], ${JSON.stringify(options)}).stdout.pipe(process.stdout);`);
    const child = spawn(process.execPath, [parent.file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [pid] = await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await expect.poll(() => isAlive(Number(String(pid)))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
