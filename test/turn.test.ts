import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inTurn } from '../scripts/turn.ts';

const turn = new URL('../scripts/turn.ts', import.meta.url).href;

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-turn-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'lock');
}

it('a turn ends with the process that has it', async () => {
  const file = lockFile();
  const program = `import { inTurn } from ${JSON.stringify(turn)};
setInterval(() => {}, 1000);
await inTurn(async () => { console.log('mine'); await new Promise(() => {}); }, ${JSON.stringify(file)});`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  const log: string[] = [];
  const mine = inTurn(async () => void log.push('mine'), file);
  await new Promise((resolve) => setImmediate(resolve));
  log.push('killed');
  other.kill('SIGKILL');
  await mine;
  expect(log).toEqual(['killed', 'mine']);
});

it('a turn ends with a failure', async () => {
  const file = lockFile();
  await expect(inTurn(() => Promise.reject(new Error('failed')), file)).rejects.toThrow('failed');
  expect(await inTurn(async () => 'next', file)).toBe('next');
});
