import { describe, expect, it } from 'vitest';
import type { CredentialInput } from '../../src/providers/credentials.ts';
import { credentialField } from '../../src/views/credential-field.ts';

const field = (key: string, input: CredentialInput): string => credentialField('acme', key, input).toString();

/** The attributes of the input after name, id and type. */
const attributes = (key: string, input: object): string =>
  /<input name="\w+" id="[^"]*" type="[^"]*"([^>]*)>/.exec(field(key, input as CredentialInput))?.[1] ?? '';

describe('a field of credentials', () => {
  it('has a label: the configured one, or its name', () => {
    expect(field('pin', { label: 'Your <PIN>' })).toBe(
      '<div class="field"><label for="input-pin-for-acme-provider">Your &lt;PIN&gt;</label>' +
        '<input name="pin" id="input-pin-for-acme-provider" type="text"></div>',
    );
    expect(field('pin', {})).toContain('<label for="input-pin-for-acme-provider">pin</label>');
  });

  it.each(['checkbox', 'radio'])('has its label behind it if it is a %s', (type) => {
    expect(field('stay', { type })).toBe(
      `<div class="field choice"><input name="stay" id="input-stay-for-acme-provider" type="${type}">` +
        '<label for="input-stay-for-acme-provider">stay</label></div>',
    );
  });

  it('is the input alone if it is hidden', () => {
    expect(field('shop', { type: 'hidden', value: '7' })).toBe(
      '<input name="shop" id="input-shop-for-acme-provider" type="hidden" value="7">',
    );
  });

  it.each([
    ['PASSWORD', 'password'],
    ['submit', 'text'],
    ['file', 'text'],
    [7, 'text'],
    [undefined, 'text'],
  ])('of the type %s is shown as %s', (type, shown) => {
    expect(field('pin', { type } as CredentialInput)).toContain(` type="${shown}"`);
  });

  it.each([
    ['email', {}],
    ['Username', {}],
    ['login', { type: 'email' }],
  ])('helps password managers and keyboards with a name: %s %j', (key, input) => {
    expect(attributes(key, input)).toBe(' autocomplete="username" autocapitalize="none" spellcheck="false"');
  });

  it('helps password managers with a password, unless the application says what it is', () => {
    expect(attributes('pin', { type: 'password' })).toBe(' autocomplete="current-password"');
    expect(attributes('pin', { type: 'password', autocomplete: 'new-password' })).toBe(' autocomplete="new-password"');
    expect(attributes('pin', {})).toBe('');
  });

  it('has the attributes that are safe', () => {
    expect(attributes('pin', { required: true, disabled: 'false', readonly: false, checked: 'checked' })).toBe(
      ' required checked',
    );
    expect(attributes('pin', { maxLength: 8, 'aria-label': 'PIN', 'data-x-1': 'a"b', 'aria-hidden': true })).toBe(
      ' maxlength="8" aria-label="PIN" data-x-1="a&quot;b" aria-hidden="true"',
    );
    const unsafe = {
      onclick: 'x',
      style: 'x',
      form: 'x',
      'xaria-label': 'x',
      'data-x y': 'x',
      'aria-"': 'x',
      title: {},
    };
    expect(attributes('pin', unsafe)).toBe('');
  });
});
