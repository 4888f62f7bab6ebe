import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { elsewhere, later } from './later.ts';

const root = new URL('../../../../', import.meta.url);

describe('what the specification says and a later issue proves', () => {
  const asked = later.flatMap(({ issue, section, statement, today }) =>
    today ? [[issue, section, statement, today] as const] : [],
  );

  it.each(asked)('issue %i | %s | %s | whoever tries it today is told so', async (_, __, ___, { told, says }) => {
    expect(await told()).toContain(says);
  });

  it.each(later.filter(({ today }) => !today).map(({ issue, section, statement }) => [issue, section, statement]))(
    'issue %i | %s | %s | is on the list',
    (issue) => expect(issue).toBeGreaterThan(5),
  );
});

describe('what the specification says and another package proves', () => {
  it.each(elsewhere.map(({ section, statement, file }) => [section, statement, file]))(
    '%s | %s | %s',
    (_, __, file) => {
      expect(existsSync(new URL(file, root))).toBe(true);
    },
  );
});
