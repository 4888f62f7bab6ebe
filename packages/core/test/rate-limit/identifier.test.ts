import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { countedForm, identifiersOf, mailboxOf } from '../../src/rate-limit/identifier.ts';

describe('the form in which an identifier is counted', () => {
  it.each([
    ['ADA', ['Ada', ' ada ', 'a\u00a0da', 'ａｄａ', 'ádâ', 'a\u0301da', 'a\u200bda', 'ada\u0000', '\ufeffada', 'ᴬᴰᴬ']],
    ['STRASSE', ['straße', 'STRASSE', 'ſtrasse', 'STRAẞE']],
    ['ΟΔΥΣΣΕΥΣ', ['Ὀδυσσεύς', 'ΟΔΥΣΣΕΥΣ']],
    ['ISTANBUL', ['İstanbul', 'ISTANBUL', 'ıstanbul']],
    ['王小明', ['王小明', '王 小明']],
  ])('%s has other spellings', (form, spellings) => {
    expect(spellings.map(countedForm)).toEqual(spellings.map(() => form));
  });

  it('is not the same for what is not the same', () => {
    const names = ['ada', 'adb', 'ada1', 'ad', 'ада', 'ada@example.com', 'ada.l'];
    expect(new Set(names.map(countedForm)).size).toBe(names.length);
  });

  it('is something also where only accents are left, and nothing where there is nothing', () => {
    expect(countedForm('\u0301')).not.toBe('');
    expect(countedForm(' \u200b\n')).toBe('');
  });

  it('is bounded, and not got around by what stands in front', () => {
    expect(countedForm('ﷺ'.repeat(100_000)).length).toBeLessThan(20_000);
    expect(countedForm(`${' '.repeat(100_000)}ada`)).toBe('ADA');
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

describe('whose credentials they are', () => {
  const undeclared = Credentials({}) as Parameters<typeof identifiersOf>[0];
  const declared = (names: Record<string, { type?: string }>) => ({ ...undeclared, credentials: names });

  it.each<[string, Parameters<typeof identifiersOf>[0], Record<string, unknown>, string[]]>([
    ['by a usual name', undeclared, { email: 'Ada@Example.com', password: 'x' }, ['ADA@EXAMPLE.COM']],
    ['by all usual names', undeclared, { User_Name: 'ada', email: 'a@b.c' }, ['ADA', 'A@B.C']],
    ['once, where two say the same', undeclared, { username: 'a@b.c', email: 'A@b.c' }, ['A@B.C']],
    ['by a number', undeclared, { id: 7 }, ['7']],
    ['not by what is empty', undeclared, { username: '', email: null, id: undefined }, []],
    ['not by other fields', undeclared, { token: 'x', callbackUrl: '/', role: 'admin' }, []],
    ['by the first typed field', declared({ pin: { type: 'password' }, who: {} }), { who: 'ada', pin: '1' }, ['ADA']],
    ['not by the first field beside a usual name', declared({ shop: {}, login: {} }), { shop: 'x', login: 'a' }, ['A']],
    [
      'not by a password whose field does not say so',
      declared({ password: {}, otp: {} }),
      { password: 'x', otp: '1' },
      [],
    ],
    ['not by a hidden field', declared({ kind: { type: 'hidden' } }), { kind: 'x' }, []],
    ['by an object that will be no text', undeclared, { email: { toString: 1 } }, ['{"TOSTRING":1}']],
  ])('is told %s', (_, provider, fields, identifiers) => expect(identifiersOf(provider, fields)).toEqual(identifiers));
});
