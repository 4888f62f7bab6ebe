import { describe, expect, it } from 'vitest';
import type { CredentialInput } from '../../src/providers/credentials.ts';
import { type CredentialsEntry, layoutOf, passwordFields, type SignInEntry } from '../../src/views/sign-in/layout.ts';
import { emailEntry, keyEntry, passkeyEntry, passwordEntry, serviceEntries } from './samples.ts';

/** P: providers, K: passkey, M: mail, C: name and password, X: other credentials, W: a key whose name is typed. */
const ways: Record<string, SignInEntry> = {
  K: passkeyEntry,
  M: emailEntry,
  M2: { ...(emailEntry as object), id: 'mail2', name: 'Backup' } as SignInEntry,
  C: passwordEntry,
  C2: { ...passwordEntry, id: 'c2' },
  X: { ...passwordEntry, id: 'x', fields: { pin: {} } },
  X2: { ...passwordEntry, id: 'x2', fields: {} },
  W: keyEntry,
};

function entriesOf(names: string): SignInEntry[] {
  return names.split(' ').flatMap((name) => {
    const services = /^P(\d+)$/.exec(name);
    if (services) return serviceEntries(Number(services[1]));
    const way = ways[name];
    return way ? [way] : [];
  });
}

const nameOf = (entry: SignInEntry): string => Object.keys(ways).find((name) => ways[name] === entry) ?? 'P';

/** Where the ways are, as letters: first form, passkey buttons, number of services, others. */
function outline(names: string): string {
  const { first, passkeys, services, isGrid, others } = layoutOf(entriesOf(names));
  return [
    first?.kind ?? '-',
    passkeys.map(nameOf).join(' ') || '-',
    `${services.length}${isGrid ? ' grid' : ''}`,
    others.map(nameOf).join(' ') || '-',
  ].join(' | ');
}

describe('the layout of the sign-in page', () => {
  it.each([
    ['', '- | - | 0 | -'],
    ['P1', '- | - | 1 | -'],
    ['P6', '- | - | 6 | -'],
    ['P7', '- | - | 7 grid | -'],
    ['M', 'mail | - | 0 | -'],
    ['C', 'password | - | 0 | -'],
    ['X', 'fields | - | 0 | -'],
    ['X X2', 'fields | - | 0 | X2'],
    ['M C', 'identifier | - | 0 | -'],
    ['C M', 'identifier | - | 0 | -'],
    ['K', '- | K | 0 | -'],
    ['K M', 'mail | K | 0 | -'],
    ['K C', 'password | K | 0 | -'],
    ['K M C', 'identifier | K | 0 | -'],
    ['P3 M', 'mail | - | 3 | -'],
    ['P12 K M C', 'identifier | K | 12 grid | -'],
    ['P1 X', '- | - | 1 | X'],
    ['K X', '- | K | 0 | X'],
    ['M X', 'mail | - | 0 | X'],
    ['C X', 'password | - | 0 | X'],
    ['X C', 'password | - | 0 | X'],
    ['M C X', 'identifier | - | 0 | X'],
    ['M M2', 'mail | - | 0 | M2'],
    ['C C2', 'password | - | 0 | C2'],
    ['M M2 C C2', 'identifier | - | 0 | M2 C2'],
    ['W', 'key | - | 0 | -'],
    ['W P2', 'key | - | 2 | -'],
    ['W X', 'key | - | 0 | X'],
    ['W M', 'mail | - | 0 | W'],
    ['W K', 'key | K | 0 | -'],
  ])('of %s is %s', (names, expected) => expect(outline(names)).toBe(expected));
});

describe('credentials with a name and a password', () => {
  const fieldsOf = (fields: Record<string, CredentialInput>) =>
    passwordFields({ ...(passwordEntry as CredentialsEntry), fields });
  const password: CredentialInput = { type: 'password' };

  it.each<[string, Record<string, CredentialInput>, string | undefined]>([
    ['two fields', { login: {}, secret: password }, 'login'],
    ['any order', { secret: password, login: { type: 'tel' } }, 'login'],
    ['an address', { login: { type: 'EMAIL' }, secret: { type: 'Password' } }, 'login'],
    ['a hidden field', { tenant: { type: 'hidden' }, login: {}, secret: password }, 'login'],
    ['a third field', { login: {}, secret: password, code: {} }, undefined],
    ['a check box', { login: {}, secret: password, stay: { type: 'checkbox' } }, undefined],
    ['two passwords', { old: password, secret: password }, undefined],
    ['two names', { login: {}, tenant: {} }, undefined],
    ['a number', { login: { type: 'number' }, secret: password }, undefined],
    ['a password alone', { secret: password }, undefined],
    ['no field', {}, undefined],
  ])('with %s', (_, fields, name) => {
    expect(fieldsOf(fields)).toEqual(name === undefined ? undefined : { name, password: 'secret' });
  });
});
