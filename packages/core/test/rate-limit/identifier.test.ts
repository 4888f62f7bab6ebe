import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { identifiersOf, mailboxOf, phoneOf, textForm } from '../../src/rate-limit/identifier.ts';
import { processCounters } from '../../src/rate-limit/memory.ts';
import { startsSession } from '../flows/scene.ts';
import { limitedScene } from './scene.ts';

describe('the identifiers of a form with credentials', () => {
  const undeclared = Credentials({}) as Parameters<typeof identifiersOf>[0];
  const declared = (names: Record<string, { type?: string }>) => ({ ...undeclared, credentials: names });

  it.each<[string, Parameters<typeof identifiersOf>[0], Record<string, unknown>, string[]]>([
    ['a field with a usual name', undeclared, { email: 'Ada@Example.com', password: 'x' }, ['ada@example.com']],
    ['all fields with usual names', undeclared, { User_Name: 'ada', email: 'a@b.c' }, ['ada', 'a@b.c']],
    ['one of two fields with the same value', undeclared, { username: 'a@b.c', email: 'A@b.c' }, ['a@b.c']],
    ['a number', undeclared, { id: 7 }, ['7']],
    ['no empty field', undeclared, { username: '', email: null, id: undefined }, []],
    ['no field with another name', undeclared, { token: 'x', callbackUrl: '/', role: 'admin' }, []],
    ['the first text field', declared({ pin: { type: 'password' }, who: {} }), { who: 'ada', pin: '1' }, ['ada']],
    ['no other text field beside a usual name', declared({ shop: {}, login: {} }), { shop: 'x', login: 'a' }, ['a']],
    ['no secret whose input has no type', declared({ password: {}, otp: {} }), { password: 'x', otp: '1' }, []],
    ['no hidden field', declared({ kind: { type: 'hidden' } }), { kind: 'x' }, []],
    ['an object that has no text', undeclared, { email: { toString: 1 } }, ['{"tostring":1}']],
    ['the digits of a phone number', undeclared, { phone: '+1 555-01a00' }, ['15550100']],
    ['the digits of a field of type tel', declared({ login: { type: 'tel' } }), { login: '0170-x1' }, ['01701']],
    ['four identifiers', undeclared, { username: 'a', email: 'b', phone: '1', id: 2 }, ['a', 'b', '1', '2']],
    ['one identifier in five fields', undeclared, { user: 'a', login: 'A', id: 'a ', name: 'ａ', mail: 'a' }, ['a']],
    [
      'more identifiers if the form declares more fields',
      declared({ user: {}, mail: {}, phone: {}, account: {}, id: {} }),
      { user: 'a', mail: 'b', phone: '1', account: 'c', id: 'd' },
      ['a', 'b', '1', 'c', 'd'],
    ],
  ])('are %s', (_, provider, fields, identifiers) => expect(identifiersOf(provider, fields)).toEqual(identifiers));

  it('are refused if there are more than four, or more than the form declares', () => {
    const five = { username: 'a', email: 'b', phone: '1', id: 2, name: 'c' };
    expect(identifiersOf(undeclared, five)).toBeUndefined();
    expect(
      identifiersOf(declared({ user: {}, mail: {}, phone: {}, id: {}, account: {} }), { ...five, user: 'd' }),
    ).toBeUndefined();
  });

  it('are refused if more than 14 fields have a usual name, even with one value', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`id${'_'.repeat(index)}`, 'a']));
    expect(identifiersOf(undeclared, fields(14))).toEqual(['a']);
    expect(identifiersOf(undeclared, fields(15))).toBeUndefined();
  });
});

describe('an identifier of more than 4096 characters', () => {
  const provider = Credentials({}) as Parameters<typeof identifiersOf>[0];

  it('is refused before it is folded', () => {
    expect(identifiersOf(provider, { email: 'a'.repeat(4096) })).toHaveLength(1);
    expect(identifiersOf(provider, { email: 'a'.repeat(4097) })).toBeUndefined();
    expect(identifiersOf(provider, { email: [`${' '.repeat(4096)}a`] })).toBeUndefined();
    expect(identifiersOf(provider, { phone: '1'.repeat(4097) })).toBeUndefined();
  });

  it('is answered with 400, and is neither counted nor checked', async () => {
    const app = limitedScene();
    const page = await app.attempt('ﷺ'.repeat(5000), 'right');
    expect([page.status, startsSession(page), app.asked.count, processCounters.size]).toEqual([400, false, 0, 0]);
    expect(app.log.errors.at(-1)?.message).toContain('more than 4096 characters');
  });
});

describe('the counted form of a text', () => {
  it.each([
    ['ada', ['Ada', ' ada ', 'ada\u00a0', 'ａｄａ', '\ufeffada', 'ᴬᴰᴬ']],
    ['strasse', ['straße', 'STRASSE', 'ſtrasse', 'STRAẞE']],
    ['οδυσσευς', ['Οδυσσευς', 'ΟΔΥΣΣΕΥΣ']],
    ['é', ['é', 'E\u0301']],
    ['1907', ['1907', '１９０７', '\u{1d7d9}9\u{1d7d8}7']],
  ])('is %s for other spellings', (form, spellings) => {
    expect(spellings.map(textForm)).toEqual(spellings.map(() => form));
  });

  it('is not the same for other texts', () => {
    const texts = ['ada', 'adb', 'ádâ', 'a da', 'a.da', 'ada1', '01', '1', 'ада', 'ø', 'o', '王小明', 'ada😀', 'ada𠮷'];
    expect(new Set(texts.map(textForm)).size).toBe(texts.length);
  });

  it('has a bounded length, and keeps the text after leading blanks', () => {
    expect(textForm('a'.repeat(80_000))).toHaveLength(1024);
    expect(textForm(`${' '.repeat(40_000)}ada`)).toBe('ada');
  });

  it('is empty for blanks', () => expect(textForm(' \u00a0\n')).toBe(''));
});

describe('the counted form of a mailbox', () => {
  it.each([
    ['a.d.a+tag@example.com', 'ada@example.com'],
    ['Ada@Example.com', 'ada@example.com'],
    ['A.da+x＠example.com', 'ada@example.com'],
    ['+tag@example.com', '+tag@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ['ada.lovelace+x', 'ada.lovelace+x'],
  ])('of %s is %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox));
});

describe('the counted form of a phone number', () => {
  it.each([
    ['+1 (555) 01-00', '15550100'],
    ['1５５50100', '15550100'],
    ['Ada', 'ada'],
    ['', ''],
  ])('of %s is %s', (typed, form) => expect(phoneOf(typed)).toBe(form));
});
