import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { identifiersOf } from '../../src/rate-limit/identifier.ts';

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
    ['by an object that will be no text', undeclared, { email: { toString: 1 } }, ['TOSTRING1']],
    ['by the digits of a phone number', undeclared, { phone: '+1 555-01a00' }, ['15550100']],
    ['by the digits of what is declared as one', declared({ login: { type: 'tel' } }), { login: '0170-x1' }, ['1701']],
    ['by both readings of a phone number', undeclared, { mobile: '１23' }, ['123', '23']],
    ['by four people', undeclared, { username: 'a', email: 'b', phone: '1', id: 2 }, ['A', 'B', '1', '2']],
    ['by one of whom all names speak', undeclared, { user: 'a', login: 'A', id: 'a ', name: 'á', mail: 'a' }, ['A']],
    [
      'by more people where the form has more fields',
      declared({ user: {}, mail: {}, phone: {}, account: {}, id: {} }),
      { user: 'a', mail: 'b', phone: '1', account: 'c', id: 'd' },
      ['A', 'B', '1', 'C', 'D'],
    ],
  ])('is told %s', (_, provider, fields, identifiers) => expect(identifiersOf(provider, fields)).toEqual(identifiers));

  it('is not told by more people than a form names', () => {
    const five = { username: 'a', email: 'b', phone: '1', id: 2, name: 'c' };
    expect(identifiersOf(undeclared, five)).toBeUndefined();
    expect(
      identifiersOf(declared({ user: {}, mail: {}, phone: {}, id: {}, account: {} }), { ...five, user: 'd' }),
    ).toBeUndefined();
  });

  it('is not told by more fields than there are names for them, whoever they name', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`id${'_'.repeat(index)}`, 'a']));
    expect(identifiersOf(undeclared, fields(14))).toEqual(['A']);
    expect(identifiersOf(undeclared, fields(15))).toBeUndefined();
  });
});
