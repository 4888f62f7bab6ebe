import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { subjects } from './providers.ts';

const core = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, core), 'utf8');

interface Row {
  readonly terms: 'sign-in' | 'open' | 'unconfirmed';
  readonly source?: string;
  readonly license?: string;
  readonly date?: string;
  readonly file?: string;
}

const rows = JSON.parse(read('marks/marks.json')) as Record<string, Row>;
const all = await subjects();
const { version } = JSON.parse(readFileSync(new URL('../../node_modules/simple-icons/package.json', core), 'utf8'));

describe('the marks', () => {
  it('are recorded for each provider, and for no other', () => {
    expect(Object.keys(rows).sort()).toEqual(all.map(({ name }) => name).sort());
  });

  it.each(all.map(({ name, factory }) => [name, factory] as const))(
    'of %s is used as its terms allow',
    (name, factory) => {
      const { terms, ...record } = rows[name] ?? expect.unreachable();
      const { icon } = factory({})['style'] as { icon?: unknown };
      if (terms === 'unconfirmed') {
        expect([icon, record]).toEqual([undefined, {}]);
        return;
      }
      expect(['sign-in', 'open']).toContain(terms);
      expect(icon).toBeDefined();
      expect(record).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), source: expect.any(String) });
      expect(['CC0-1.0', 'Apache-2.0', 'CC-BY-SA-4.0']).toContain(record.license);
      const imported = /import \{ (si\w+) as mark \} from 'simple-icons';/.exec(read(`src/providers/${name}.ts`))?.[1];
      if (imported !== undefined) expect(record.source).toBe(`simple-icons ${version}, ${imported}`);
      else expect(read(`marks/${record.file}`)).toContain(String((icon as { path: string }[])[0]?.path));
    },
  );

  it('with several colors are what `npm run marks` makes of the drawings', () => {
    const generator = fileURLToPath(new URL('scripts/marks.ts', core));
    execFileSync(process.execPath, ['--no-warnings', generator, '--check'], { env: { PATH: process.env['PATH'] } });
  });
});
