import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../docs');

const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const guides = pages.filter((name) => /^(start|guides)\//.test(name));

/** Options that lower security. A page that shows one in a sample warns in a box. */
const lowering =
  /\b(allowDangerousEmailAccountLinking|skipCSRFCheck|allowShortSecret|unverifiedEmail: 'allow'|state: 'any'|useSecureCookies: false|rateLimit: false|checks: \[('none')?\])/;

/** A secret that is written out: a reader would copy it. Values of the environment and random values are not. */
const secretLiteral =
  /(secret|apiKey|AUTH_SECRET|_SECRET|_KEY)\b['"\]]*\s*[:=]\s*(['"`](?!\s*['"`])[^'"`\s][^'"`]*['"`]|[\w+/-]{8,}=*$)/i;

interface Sample {
  title: string;
  code: string;
}

function samplesOf(page: string): Sample[] {
  const text = readFileSync(join(docs, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 0: _, 2: code = '', index }) => ({
    title: `docs/${page}:${text.slice(0, index).split('\n').length}`,
    code,
  }));
}

describe('the samples of the documentation', () => {
  const samples = guides.flatMap(samplesOf);

  it('are found', () => {
    expect(samples.length).toBeGreaterThan(60);
  });

  it('contain no secrets', () => {
    const found = samples.flatMap(({ title, code }) =>
      code.split('\n').flatMap((line) => (secretLiteral.test(line) ? [`${title}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ["secret: 'my-secret-value'", true],
    ['AUTH_SECRET=c29tZSByYW5kb20gdmFsdWU=', true],
    ["apiKey: 're_123456'", true],
    ['AUTH_SECRET=', false],
    ["const secret = process.env['AUTH_SECRET'] ?? '';", false],
    ['secret: crypto.randomUUID(),', false],
    ['AUTH_SECRET: process.env.AUTH_SECRET', false],
  ])('the search for secrets treats `%s` as it should', (line, isSecret) => {
    expect(secretLiteral.test(line)).toBe(isSecret);
  });

  it.each(guides)('of %s lower security only beside a warning', (page) => {
    const isLower = samplesOf(page).some(({ code }) => lowering.test(code));
    if (isLower) expect(readFileSync(join(docs, page), 'utf8')).toMatch(/^> \[!(WARNING|CAUTION)\]$/m);
  });
});

/** A list of symptoms, and a list to tick off. */
const lists = ['guides/troubleshoot.md', 'guides/security-checklist.md'];

it.each(guides)('%s states its goal', (page) => {
  expect(readFileSync(join(docs, page), 'utf8')).toMatch(/^\*\*Goal:\*\*/m);
});

it.each(guides.filter((page) => !lists.includes(page)))(
  '%s says what the reader needs, how to check the result, and what to do if it fails',
  (page) => {
    const text = readFileSync(join(docs, page), 'utf8');
    expect(text).toMatch(/^\*\*(You need|Prerequisites:)/m);
    expect(text).toMatch(/^## (Check that it works|Things to look at)$|\*\*Way back:\*\*/m);
    expect(text).toMatch(/^## If it fails$/m);
  },
);
