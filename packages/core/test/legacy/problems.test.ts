import { describe, expect, it } from 'vitest';
import { checkBasics } from '../../src/config/check.ts';
import { settingsFor } from '../../src/config/settings.ts';
import type { AuthConfig } from '../../src/types/config.ts';

const DAY = 86_400_000;
const daysAhead = (days: number): string => new Date(Date.now() + days * DAY).toISOString();

const reader = { name: 'old', cookies: ['sid'], until: daysAhead(30), read: () => null };

/** Returns the problems and the codes of the warnings of readers, without the link to the page of errors. */
function findings(legacy: unknown, others: object = {}): { problems: string[]; warnings: string[] } {
  const whole = { providers: [], secret: 'x'.repeat(32), trustHost: true, legacy, ...others } as AuthConfig;
  const found = checkBasics(whole, settingsFor(whole).checksNeeded, new URL('https://app.test/auth'));
  return {
    problems: found.problems.map(({ message }) => message.replace(/\. See @latchkey.*$/, '')),
    warnings: found.warnings.map(({ code }) => code),
  };
}

const noReader = (place: number): string =>
  `\`legacy[${place}]\` must be a reader: an object with \`name\`, \`cookies\`, \`until\` and \`read\`. Use one of @latchkey/migrate`;

describe('the option `legacy`', () => {
  it.each<[string, unknown]>([
    ['`legacy` must be a list, but is of type object. Correct it, or leave it out', reader],
    [noReader(0), [null]],
    [noReader(1), [reader, { ...reader, cookies: [] }]],
    [noReader(0), [{ ...reader, read: 'sid' }]],
    [
      "`legacy[0]` (old): `until` must be a date, for example '2027-06-30'. Set the last day of the move",
      [{ ...reader, until: undefined }],
    ],
    [
      "`legacy[0]` (old): `until` must be a date, for example '2027-06-30'. Set the last day of the move",
      [{ ...reader, until: 'soon' }],
    ],
    ['`legacy[0]` (old): `secret` is not set. Set it', [{ ...reader, problems: ['`secret` is not set. Set it'] }]],
    [
      '`legacy`: two readers have the cookie "sid". Keep one of them, or set `cookie`',
      [reader, { ...reader, cookies: ['other', 'sid'] }],
    ],
    [
      '`legacy`: a reader has the cookie "__Secure-authjs.session-token", which is the session cookie of Latchkey. Set `cookies.sessionToken.name` to another name',
      [{ ...reader, cookies: ['__Secure-authjs.session-token'] }],
    ],
    [
      '`legacy` must have at most 4 readers, but has 5. Remove those that no visitor needs',
      [1, 2, 3, 4, 5].map((number) => ({ ...reader, cookies: [`sid${number}`] })),
    ],
  ])('is refused: %s', (problem, legacy) => {
    expect(findings(legacy)).toEqual({ problems: [problem], warnings: [] });
  });

  it('is refused if a reader may be used for more than 366 days', () => {
    const [problem] = findings([{ ...reader, until: daysAhead(367) }]).problems;
    expect(problem).toMatch(/^`legacy\[0\]` \(old\): `until` is 20.*Z, but must be at most 366 days ahead/);
  });

  it('is refused if a reader has the name that the session cookie was given', () => {
    const { problems } = findings([reader], { cookies: { sessionToken: { name: 'sid' } } });
    expect(problems).toHaveLength(1);
  });

  it('causes a warning if a reader is not used any more', () => {
    expect(findings([{ ...reader, until: daysAhead(-1) }])).toEqual({
      problems: [],
      warnings: ['legacy-until-passed'],
    });
  });

  it.each([[undefined], [[]], [[reader]]])('is accepted: %o', (legacy) => {
    expect(findings(legacy)).toEqual({ problems: [], warnings: [] });
  });
});
