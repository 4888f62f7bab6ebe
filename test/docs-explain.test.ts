import { readFileSync } from 'node:fs';
import { type Cause, causes } from '@latchkey/core/explain';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../docs/explain.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([A-Z`].*?) \| (.*) \|$/gm)].filter(([line]) =>
  / [.`\w].*\. \|/.test(line),
);

it.each(Object.keys(causes) as Cause[])('docs/explain.md has the text and the remedy of `%s`', (cause) => {
  const { text, remedy } = causes[cause];
  expect(page).toContain(`| \`${cause}\` | ${text} | ${remedy} |`);
});

it('docs/explain.md has no other causes, and the order of the table', () => {
  const names = rows.map(([, name]) => name).filter((name) => name !== undefined && Object.hasOwn(causes, name));
  expect(names).toEqual(rows.map(([, name]) => name));
  const listed = names.filter((name) => name !== 'store-failed');
  const wanted = Object.keys(causes).filter((name) => name !== 'store-failed');
  expect(listed).toEqual(wanted);
});
