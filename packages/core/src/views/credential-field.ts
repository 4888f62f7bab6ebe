import type { CredentialInput } from '../providers/credentials.ts';
import { type Html, html } from './html.ts';

/** Renders a configured input with its label. Attributes that are not listed below are left out. */
export function credentialField(providerId: string, key: string, input: CredentialInput): Html {
  const id = `input-${key}-for-${providerId}-provider`;
  const type = inputType(input.type);
  const given = { ...usualAttributes(key, type), ...lowerCased(input) };
  const element = html`<input name="${key}" id="${id}" type="${type}"${attributes(given)}>`;
  if (type === 'hidden') return element;
  const label = html`<label for="${id}">${input.label ?? key}</label>`;
  return type === 'checkbox' || type === 'radio'
    ? html`<div class="field choice">${element}${label}</div>`
    : html`<div class="field">${label}${element}</div>`;
}

const types: ReadonlySet<string> = new Set(
  'checkbox color date datetime-local email hidden month number password radio range search tel text time url week'.split(
    ' ',
  ),
);

/** Attributes without a value. */
const booleanAttributes: ReadonlySet<string> = new Set(
  'autofocus checked disabled multiple readonly required'.split(' '),
);

/**
 * Attributes with a value. None of them runs code, loads, styles, changes where the form is sent, or replaces id, name
 * or type.
 */
const valueAttributes: ReadonlySet<string> = new Set(
  (
    'autocapitalize autocomplete autocorrect dir enterkeyhint inputmode lang max maxlength min minlength pattern ' +
    'placeholder size spellcheck step title value'
  ).split(' '),
);

function inputType(type: unknown): string {
  const name = typeof type === 'string' ? type.toLowerCase() : 'text';
  return types.has(name) ? name : 'text';
}

/** Returns hints for password managers and phone keyboards. Configured attributes override them. */
function usualAttributes(key: string, type: string): Record<string, unknown> {
  if (type === 'password') return { autocomplete: 'current-password' };
  const name = key.toLowerCase();
  if (type === 'email' || name === 'email' || name === 'username') {
    return { autocomplete: 'username', autocapitalize: 'none', spellcheck: false };
  }
  return {};
}

function lowerCased(input: CredentialInput): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name.toLowerCase(), value]));
}

function attributes(given: Record<string, unknown>): Html[] {
  return Object.entries(given).flatMap(([name, value]) => attribute(name, value) ?? []);
}

function attribute(name: string, value: unknown): Html | null {
  if (booleanAttributes.has(name)) return value && value !== 'false' ? html` ${name}` : null;
  if (!valueAttributes.has(name) && !/^(?:aria|data)-[a-z\d-]+$/.test(name)) return null;
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? html` ${name}="${String(value)}"` : null;
}
