import { describe, expect, it } from 'vitest';
import { compare } from './differences.ts';
import { type Intended, intended } from './intended.ts';
import { configuration } from './scenarios/configuration.ts';
import { credentials } from './scenarios/credentials.ts';
import { options } from './scenarios/options.ts';
import { pages, reading } from './scenarios/reading.ts';
import { requests } from './scenarios/requests.ts';
import { signingIn } from './scenarios/signing-in.ts';
import { rows, store } from './scenarios/store.ts';

const groups = { reading, pages, requests, credentials, 'signing in': signingIn, store, rows, options, configuration };
const used = new Set<Intended>();

describe.each(Object.entries(groups))('the answers of both libraries: %s', (_, scenarios) => {
  it.each(scenarios)('$title', async (scenario) => {
    const { unexplained, used: rules, steps } = await compare(scenario);
    for (const rule of rules) used.add(rule);
    expect(steps).toBeGreaterThan(0);
    expect(unexplained).toEqual([]);
  });
});

describe('the table of intended differences', () => {
  it('has no entry that no answer needs', () => {
    expect(intended.filter((entry) => !used.has(entry)).map(({ rule }) => rule)).toEqual([]);
  });
});
