import { limits } from '../config/defaults.ts';
import type { Fields, Incoming } from '../context.ts';
import { BadRequest } from '../errors.ts';
import { isPlainObject } from '../plain-object.ts';

/**
 * Parameters of an authorization response, and the token of a logout by the provider. They must not be repeated,
 * because two readers could read two values (RFC 6749 §3.1).
 */
const ONCE: ReadonlySet<string> = new Set([
  ...['code', 'state', 'iss', 'error', 'id_token', 'access_token', 'response'],
  'logout_token',
]);

/**
 * Reads the fields of a POST's body: a form or a JSON object. Any other media type gives no fields. Of a form's
 * repeated names the last value wins; repeated parameters of {@link ONCE} stay lists, so that the action can refuse
 * them.
 *
 * @param limit Bytes of the body at most. Default: 256 KiB.
 * @throws {BadRequest} if the body is too long, incomplete, or not of its media type, or if it has too many fields.
 */
export async function readFields(incoming: Incoming, limit: number = limits.body): Promise<Fields> {
  const body = await bytesOf(incoming, limit);
  if (body === undefined) return {};
  if (!(body instanceof Uint8Array)) return isForm(incoming) ? lastOfEach(body) : ownFields(body);
  if (isForm(incoming)) return formFields(textOf(body));
  if (mediaType(incoming) === 'application/json') return body.byteLength === 0 ? {} : parseJson(textOf(body));
  return {};
}

/** Returns whether the body is a form. */
export function isForm(incoming: Incoming): boolean {
  return mediaType(incoming) === 'application/x-www-form-urlencoded';
}

async function bytesOf(incoming: Incoming, limit: number): Promise<Uint8Array | Fields | undefined> {
  try {
    return await incoming.body(limit);
  } catch (error) {
    if (error instanceof RangeError) throw new BadRequest('the body is too long', 413);
    throw new BadRequest('the body is incomplete');
  }
}

/** The media type in lower case, without its parameters (RFC 9110 §8.3.1). */
function mediaType(incoming: Incoming): string {
  return incoming.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

const decoder = new TextDecoder();

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function parseJson(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest('the body is not JSON');
  }
  if (!isPlainObject(value)) throw new BadRequest('the body is not a JSON object');
  return ownFields(value);
}

function formFields(text: string): Fields {
  // Counted before they are read: to read 80,000 fields takes 80 ms, in which this process answers nothing else.
  if (text.split('&', limits.fields + 1).length > limits.fields) throw tooManyFields();
  const form = new URLSearchParams(text);
  const fields: Fields = Object.fromEntries(form);
  if (Object.keys(fields).length === form.size) return fields;
  for (const name of ONCE) {
    const values = form.getAll(name);
    if (values.length > 1) fields[name] = values;
  }
  return fields;
}

/** The fields of a form that the host has parsed. Such parsers turn repeated names into lists. */
function lastOfEach(fields: Fields): Fields {
  if (Object.keys(fields).length > limits.fields) throw tooManyFields();
  const last = Object.entries(ownFields(fields)).map(([name, value]) => [
    name,
    Array.isArray(value) && !ONCE.has(name) ? value.at(-1) : value,
  ]);
  return Object.fromEntries(last);
}

/**
 * A copy without `__proto__` at any depth, so that no field becomes a prototype when it is assigned.
 *
 * @throws {BadRequest} if it has too many values, or is too deep to be written as JSON again for hooks.
 */
function ownFields(fields: Fields): Fields {
  if (valuesIn(fields, limits.bodyDepth) > limits.bodyValues) throw tooManyFields();
  return membersOf(fields);
}

function membersOf(object: object): Fields {
  const members = Object.entries(object).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutProto(member)]));
}

function withoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProto);
  return isPlainObject(value) ? membersOf(value) : value;
}

/**
 * Returns the number of members and elements at all depths. Stops counting above the limit.
 *
 * @throws {BadRequest} if there are objects or lists below these levels.
 */
function valuesIn(value: unknown, levels: number): number {
  if (!Array.isArray(value) && !isPlainObject(value)) return 0;
  if (levels === 0) throw new BadRequest('the body is nested too deeply');
  const members = Object.values(value);
  let count = members.length;
  for (const member of members) {
    if (count > limits.bodyValues) return count;
    count += valuesIn(member, levels - 1);
  }
  return count;
}

function tooManyFields(): BadRequest {
  return new BadRequest('the body has too many fields', 413);
}
