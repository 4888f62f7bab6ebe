import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildWhenNeeded, inTurn } from '../scripts/build-when-needed.ts';

const source = new URL('../scripts/build-when-needed.ts', import.meta.url).href;

/** A project in a folder of its own, and how often it has been built. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-fresh-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(`${folder}.lock`, { force: true });
  });
  const write = (name: string, text: string): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const state = { builds: 0 };
  const build = (setting = '', work?: () => Promise<void>) =>
    buildWhenNeeded(
      { sources: [folder], without: ['out', 'test'], output: join(folder, 'out'), others: [setting] },
      async () => {
        await work?.();
        state.builds++;
        write('out/app.js', 'built');
      },
      `${folder}.lock`,
    );
  write('app/page.ts', 'one');
  return { write, build, state, remove: (name: string) => rmSync(join(folder, name)) };
}

describe('an application is built', () => {
  it('once, as long as nothing has changed', async () => {
    const { write, build, state } = project();
    await build();
    write('test/page.test.ts', 'of no matter');
    write('out/log', 'of no matter');
    await build();
    expect(state.builds).toBe(1);
  });

  it.each([
    ['a changed file', ({ write }: ReturnType<typeof project>) => write('app/page.ts', 'two')],
    ['a new file', ({ write }: ReturnType<typeof project>) => write('app/other.ts', '')],
    ['a file less', ({ remove }: ReturnType<typeof project>) => remove('app/page.ts')],
  ])('again with %s', async (_, change) => {
    const made = project();
    await made.build();
    change(made);
    await made.build();
    await made.build();
    expect(made.state.builds).toBe(2);
  });

  it('once, though two ask for it at the same time', async () => {
    const { build, state } = project();
    let running = 0;
    const alone = async (): Promise<void> => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all([build('', alone), build('', alone), build('', alone)]);
    expect(state.builds).toBe(1);
    await Promise.all([build('/a', alone), build('/b', alone)]);
    expect(state.builds).toBe(3);
  });

  it('again with another setting', async () => {
    const { build, state } = project();
    await build();
    await build('/shop');
    expect(state.builds).toBe(2);
  });

  it('again after a failure', async () => {
    const { write, build, state } = project();
    await build();
    write('app/page.ts', 'two');
    await expect(build('', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await build();
    expect(state.builds).toBe(2);
  });
});

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-turn-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'lock');
}

it('a turn ends with the process that has it', async () => {
  const file = lockFile();
  // The timer refers to the promise. Otherwise, the lock would be collected as garbage, and so released.
  const program = `import { inTurn } from ${JSON.stringify(source)};
await inTurn(async () => { console.log('mine'); await new Promise((resolve) => setTimeout(resolve, 1e8)); }, ${JSON.stringify(file)});`;
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
