import { describe, expect, it } from 'vitest';
import { countedForm, mailboxOf, nameOf, phoneOf } from '../../src/rate-limit/spelling.ts';

const different = (forms: readonly string[]): number => new Set(forms).size;

describe('the form in which an identifier is counted', () => {
  it.each([
    [
      'ADA',
      [
        'Ada',
        ' ada ',
        'a\u00a0da',
        'ａｄａ',
        'ádâ',
        'a\u0301da',
        'a\u200bda',
        'ada\u0000',
        '\ufeffada',
        'ᴬᴰᴬ',
        'aـda',
        'aða',
      ],
    ],
    ['LODZ', ['Łódź', 'lodz', 'łódz']],
    ['STRASE', ['straße', 'STRASSE', 'ſtrasse', 'STRAẞE', 'strase']],
    ['AERO', ['Ærø', 'aero']],
    ['ΟΔΥΣΣΕΥΣ', ['Ὀδυσσεύς', 'ΟΔΥΣΣΕΥΣ']],
    ['ΑΔΑ', ['ᾳδα', 'ᾼΔΑ', 'άδα']],
    ['ISTANBUL', ['İstanbul', 'ISTANBUL', 'ıstanbul']],
    ['王小明', ['王小明', '王 小明']],
    [
      '1907',
      [
        '1907',
        '１９０７',
        '١٩٠٧',
        '१९०७',
        '\u{1d7d9}9\u{1d7d8}7',
        '\u{116da}\u{116e3}\u{116d0}\u{116d7}'.replace('\u{116da}', '1'),
      ],
    ],
  ])('%s has other spellings', (form, spellings) => {
    expect(spellings.map(countedForm)).toEqual(spellings.map(() => form));
  });

  it('is not the same for what is not the same', () => {
    const names = [
      'ada',
      'adb',
      'ada1',
      'ad',
      'ада',
      'ada@example.com',
      'ada.l',
      '王小明',
      '王小红',
      'ø',
      'ö1',
      'ada😀',
    ];
    expect(different(names.map(countedForm))).toBe(names.length);
  });

  it('is one for all that have in them what nobody is called by', () => {
    const odd = ['\u0363da', 'ad\u0363', '🅰da', 'ada❶', 'ꜳda', 'ada\u0345', 'ͺ', '〇', 'а\u2de0', 'Ꙋ', 'Ⴀ', 'ᚡ', '⺡'];
    expect(different(odd.map(countedForm))).toBe(1);
    expect(odd.map(nameOf)).toEqual(odd.map(countedForm));
  });

  it('is one for all characters beyond 16 bits that are none of these', () => {
    expect(countedForm('ada😀')).toBe(countedForm('ada𠮷'));
  });

  it('is something also where only accents are left, and nothing where there is nothing', () => {
    expect(countedForm('\u0301')).not.toBe('');
    expect(countedForm('\u0301\u0300')).toBe(countedForm('\u0301'));
    expect(countedForm(' \u200b\n')).toBe('');
    expect(nameOf(' \u200b\n')).toBe('');
  });

  it('is bounded, and not got around by what stands in front', () => {
    expect(countedForm('ﷺ'.repeat(80_000))).toHaveLength(1024);
    for (const front of [' ', '\u0301', '\u200b', 'ـ\u0301'])
      expect(countedForm(`${front.repeat(40_000)}ada`)).toBe('ADA');
    for (const front of ['.', '☃', '-(']) expect(nameOf(`${front.repeat(40_000)}15550100`)).toBe('15550100');
    for (const front of ['a', '+a', 'ж@']) expect(phoneOf(`${front.repeat(40_000)}15550100`)).toContain('15550100');
  });
});

describe('the mailbox of an address', () => {
  it.each([
    ['a.d.a+tag@example.com', 'ADA@EXAMPLE.COM'],
    ['ada@example.com', 'ADA@EXAMPLE.COM'],
    ['+tag@example.com', '+TAG@EXAMPLE.COM'],
    ['+49 170 123', '+49170123'],
  ])('%s is %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox));
});

describe('the name that somebody has typed', () => {
  it.each([
    ['a.d_a-l (x)', 'ADALX'],
    ['+1 (555) 01-00', '15550100'],
    ['00042', '42'],
    ['000', '0'],
    ['@ada', '@ADA'],
    ['A.da+x＠example.com', 'ADA@EXAMPLE.COM'],
    ['***', '***'],
  ])('%s is counted as %s', (typed, form) => expect(nameOf(typed)).toBe(form));

  it('is another for another person', () => {
    const people = [
      'ada',
      'adb',
      'ad',
      'ada1',
      'ada10',
      'ada01',
      'ада',
      'ada@example.com',
      'ada@example.org',
      '王小明',
      '***',
      '**',
    ];
    expect(different(people.map(nameOf))).toBe(people.length);
  });

  // What it costs: some people share a counter. A wrong password of the one is one try less for the other, no more.
  it.each([
    ['punctuation', 'ada.lovelace', 'ada-lovelace'],
    ['accents', 'Jörg', 'Jorg'],
    ['one or two s', 'Jess', 'Jes'],
    ['zeros in front', '007', '7'],
    ['dots and tags of an address', 'a.b+c@example.com', 'ab@example.com'],
  ])('is the same for people who differ only by %s', (_, one, other) => expect(nameOf(one)).toBe(nameOf(other)));
});

describe('a phone number', () => {
  it.each([
    ['+1 (555) 01-00', ['15550100']],
    ['1a5b5c5@0100', ['15550100']],
    ['1５５50100', ['15550100', '150100']],
    ['١٥٥٥٠١٠٠', ['15550100']],
    ['ada', ['ADA']],
    ['', ['']],
  ])('%s is counted by its digits', (typed, forms) => expect([...new Set(phoneOf(typed))]).toEqual(forms));
});
