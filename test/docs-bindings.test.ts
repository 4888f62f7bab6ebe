import { existsSync, readFileSync } from 'node:fs';
import { bindingCases, bindingFeatures } from '@latchkey/testing/binding-suite';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../docs/frameworks/contract.md', import.meta.url), 'utf8');

/** Returns the lines of a section without their breaks. */
function itemsOf(heading: string): string[] {
  const section = page.split(`\n${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  return section
    .replaceAll('\n  ', ' ')
    .split('\n')
    .flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

describe('docs/frameworks/contract.md', () => {
  it.each(Object.entries(bindingCases))('lists the cases of the group: %s', (group, cases) => {
    const items = cases.map(({ title, needs }) =>
      needs.length > 0 ? `${title} (${needs.map((name) => `\`${name}\``).join(', ')})` : title,
    );
    expect(itemsOf(`### ${group}`)).toEqual(items);
  });

  it('has the number of the cases', () => {
    expect(page).toContain(`There are ${Object.values(bindingCases).flat().length} cases.`);
  });

  it('lists the features', () => {
    const rows = Object.entries(bindingFeatures).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
    expect(page).toContain(`\n${rows.join('\n')}\n`);
  });
});

/** Returns the types of core that an application can import from a binding. */
function typesOf(binding: string): string[] {
  const server = new URL(`../packages/${binding}/src/server.ts`, import.meta.url);
  const index = new URL(`../packages/${binding}/src/index.ts`, import.meta.url);
  const code = readFileSync(existsSync(server) ? server : index, 'utf8');
  const [, names = ''] = /export type \{([^}]*)\} from '@latchkey\/core\/types'/.exec(code) ?? [];
  return names.split(/[\s,]+/).filter(Boolean);
}

it.each([
  ...['astro', 'express', 'fastify', 'h3', 'hono', 'next', 'nuxt', 'react-router', 'sveltekit', 'tanstack-start'],
])('%s exports the same types of core as each other binding', (binding) => {
  const types = ['Account', 'AccountWay', 'ChangedWays', 'DefaultSession', 'EndedSessions', 'MailStatus', 'Profile'];
  const others = ['Session', 'SessionInfo', 'User', 'VisitorSessions', 'VisitorTokens'];
  const found = typesOf(binding);
  expect(found).toEqual(expect.arrayContaining([...types, ...others]));
  expect(found.filter((name) => /^(?:Request|Visitor)Account$/.test(name))).not.toEqual([]);
});
