import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { available, mariadb } from '../../../../test/services/index.ts';
import { countedForm, nameOf } from '../../src/rate-limit/spelling.ts';

/** The form that all share who have something odd in them. */
const odd = countedForm('\u0363');

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

/** All that may be like a letter of ASCII, or like nothing: scripts, marks, signs, full width, boxes; no ideographs and no Hangul. */
const characters = [
  ...range(0x21, 0x33ff),
  ...range(0xa000, 0xabff),
  ...range(0xf900, 0xfffd),
  ...range(0x10100, 0x107bf),
  ...range(0x1d400, 0x1d7ff),
  ...range(0x1f100, 0x1f1ff),
];

interface Weighed {
  readonly character: string;
  /** What it is compared by, in units of four hexadecimal digits. */
  readonly weight: readonly string[];
}

/** `undefined` when the server has no such collation. */
async function weigh(collation: string): Promise<Weighed[] | undefined> {
  const connection = await createConnection((await mariadb()).url);
  try {
    const values = characters.map((character) => `(_utf8mb4 x'${Buffer.from(character).toString('hex')}')`).join();
    const [rows] = await connection.query<RowDataPacket[]>(
      `with c (c) as (values ${values}) select hex(c) as c, hex(weight_string(c collate ${collation})) as w from c`,
    );
    return rows.map(({ c, w }) => ({ character: Buffer.from(c, 'hex').toString(), weight: w.match(/.{4}/g) ?? [] }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ER_UNKNOWN_COLLATION') return undefined;
    throw error;
  } finally {
    await connection.end();
  }
}

/** Characters with the text of ASCII that the collation takes them for; of punctuation, a letter or a digit is not. */
function likeAscii(all: readonly Weighed[]): [character: string, text: string][] {
  const ascii = all.filter(({ character }) => /^[!-~]$/.test(character));
  const byWeight = new Map(ascii.map(({ character, weight }) => [weight.join(''), character]));
  return all.flatMap(({ character, weight }): [string, string][] => {
    const text = weight.map((unit) => byWeight.get(unit));
    return text.includes(undefined) ? [] : [[character, text.join('')]];
  });
}

describe.skipIf(!(await available('mariadb')))('what MariaDB takes for the same', () => {
  it.each([
    ['utf8mb4_general_ci', 'ß', 's'],
    ['utf8mb4_unicode_ci', '\u0363', 'A'],
    ['utf8mb4_unicode_520_ci', 'ø', 'o'],
    ['utf8mb4_uca1400_ai_ci', 'ħ', 'h'],
  ])('by %s as a text of ASCII is counted together with it', async (collation, known, letter) => {
    const all = await weigh(collation);
    // Before MariaDB 10.10 there is no `uca1400`.
    if (!all && collation.includes('uca1400')) return;
    const alike = likeAscii(all ?? []);
    expect(alike.find(([character]) => character === known)?.[1].toUpperCase()).toBe(letter.toUpperCase());
    expect(alike.length).toBeGreaterThan(500);
    const apart = [countedForm, nameOf].flatMap((formOf) =>
      alike.filter(([character, text]) => ![odd, formOf(`q${text}q`)].includes(formOf(`q${character}q`))),
    );
    expect(apart).toEqual([]);
  });
});
