import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { similarTo } from '@latchkey/core/inspection';
import { describe, expect, it } from 'vitest';
import { Report } from '../src/checks/finding.ts';
import { satisfies } from '../src/checks/range.ts';
import { checkVersions } from '../src/checks/versions.ts';
import { projectIn } from '../src/load/project.ts';
import { redactor } from '../src/load/secrets.ts';
import { clean } from '../src/terminal.ts';
import { writeProject } from './fixtures/project.ts';

it.each([
  ['5.3.0', '^4.18.2 || ^5.0.0', true],
  ['4.18.1', '^4.18.2 || ^5.0.0', false],
  ['6.0.0', '^4.18.2 || ^5.0.0', false],
  ['15.5.0', '>=15.5 <17', true],
  ['15.4.9', '>=15.5 <17', false],
  ['17.0.0', '>=15.5 <17', false],
  ['0.2.1', '^0.2.0', true],
  ['0.3.0', '^0.2.0', false],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['2.7.1', '2.x', true],
  ['3.0.0', '2', false],
  ['16.0.0-canary.1', '>=16', true],
  ['1.0.0', '*', true],
  ['1.0.0', 'workspace:*', true],
])('the version %s is in the range %s: %s', (version, range, expected) => {
  expect(satisfies(version, range)).toBe(expected);
});

it('suggests a name with at most two other letters', () => {
  const known = ['session', 'callbacks', 'events'];
  expect(['sesion', 'Callback', 'event', 'adapter'].map((name) => similarTo(name, known, 2))).toEqual([
    'session',
    'callbacks',
    'events',
    undefined,
  ]);
});

it('removes escape sequences, control characters and characters that change the direction', () => {
  const start = String.fromCharCode(27);
  const text = `a${start}[31mb${start}]8;;https://evil.example${start}\\c${String.fromCharCode(7, 8, 0x9b, 0x202e)}\td\n`;
  expect(clean(text)).toBe('abc\td\n');
});

it('redacts secrets in all their forms, and nothing else', () => {
  const redact = redactor(
    {
      AUTH_SECRET: 'a"b c/d+e',
      DATABASE_URL: 'mysql://shop:p%40ss-word@db/shop',
      PWD: '/home/shop',
      AUTH_URL: 'https://shop.example',
    },
    { providers: [{ options: { apiKey: 'key-1234' } }], secret: ['first-secret', 'second-secret'] },
  );
  const text = `a"b c/d+e a%22b%20c%2Fd%2Be a\\"b c/d+e p@ss-word p%40ss-word key-1234 first-secret second-secret`;
  expect(redact(text)).toBe(Array(8).fill('[redacted]').join(' '));
  expect(redact('/home/shop https://shop.example')).toBe('/home/shop https://shop.example');
});

describe('the check of the versions', () => {
  it('reports a Node.js that is too old', () => {
    const project = writeProject({ files: {} });
    for (const [version, ids] of [
      ['20.20.2', ['node-version']],
      ['22.11.0', ['node-version']],
      ['22.12.0', []],
    ] as const) {
      const report = new Report();
      checkVersions(projectIn(project.root), report, version);
      expect(report.findings.map(({ id }) => id)).toEqual(ids);
    }
    project.remove();
  });
});

it('runs as a program', () => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  expect([status, stdout.trim(), stderr]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/), '']);
  expect(spawnSync(process.execPath, [main, 'docto'], { encoding: 'utf8' }).status).toBe(2);
});
