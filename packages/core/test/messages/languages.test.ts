import { describe, expect, it } from 'vitest';
import english, { type Language } from '../../src/messages/en.ts';
import { counted } from '../../src/views/text.ts';
import { languages } from './all.ts';

/** The texts by their place. A text with a count is an object. */
function textsOf({ texts }: Language): Map<string, string | object> {
  const groups: [string, Record<string, string | object>][] = Object.entries(texts);
  return new Map(
    groups.flatMap(([name, group]) =>
      Object.entries(group).map(([key, text]): [string, string | object] => [`${name}.${key}`, text]),
    ),
  );
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\w*\}?/g)].map(([name]) => name).sort();
}

const forms = (text: string | object): string[] => (typeof text === 'string' ? [text] : Object.values(text));

describe.each(languages)('the language %s', (file, language) => {
  it('has the code of its file, and the direction of its script', () => {
    expect(language.code).toBe(file);
    expect(language.dir).toBe(['ar', 'he'].includes(file) ? 'rtl' : 'ltr');
  });

  it('has the texts of the English catalogue, each with its placeholders', () => {
    const texts = textsOf(language);
    expect([...texts.keys()]).toEqual([...textsOf(english).keys()]);
    for (const [place, text] of textsOf(english)) {
      const wanted = [...new Set(forms(text).flatMap(placeholders))];
      for (const form of forms(texts.get(place) ?? '')) {
        expect([place, [...new Set(placeholders(form))]]).toEqual([place, wanted]);
        expect(form.trim(), place).not.toBe('');
      }
    }
  });

  it('has a text for each plural category', () => {
    const { pluralCategories } = new Intl.PluralRules(language.code).resolvedOptions();
    const counts = [...textsOf(language)].filter(([, text]) => typeof text === 'object');
    expect(counts.length).toBeGreaterThan(0);
    for (const [place, text] of counts)
      expect([place, Object.keys(text).sort()]).toEqual([place, pluralCategories.sort()]);
  });

  it('writes counts with its own digits and plural form', () => {
    const { others } = language.texts.sessions;
    const form = new Intl.PluralRules(language.code).select(3);
    expect(counted(language, others, 3)).toBe(
      others[form]?.replace('{count}', new Intl.NumberFormat(language.code).format(3)),
    );
  });
});
