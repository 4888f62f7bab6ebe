import { limits } from '../config/defaults.ts';
import { isPlainObject } from '../config/merge.ts';
import type { Fields, Incoming } from '../context.ts';
import { BadRequest } from '../errors/bad-request.ts';
import { concatenated, FetchLimitError, readBounded } from '../wire/bounded-fetch.ts';
import type { NodeRequest } from './read.ts';

/** Parameters of an authorization response: given twice, two readers could read two answers (RFC 6749 §3.1). */
const ONCE: ReadonlySet<string> = new Set(['code', 'state', 'iss', 'error', 'id_token', 'access_token', 'response']);

/**
 * The fields of a POST's body: a form (last of equal names; those of an authorization response stay lists, for whoever reads them to
 * refuse) or a JSON object. Any other media type gives none.
 *
 * @throws {BadRequest} when the body is too long, breaks off, or is not what its media type says.
 */
export async function readFields(incoming: Incoming): Promise<Fields> {
  const body = await bytesOf(incoming);
  if (body === undefined) return {};
  const type = mediaType(incoming.header('content-type'));
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!(body instanceof Uint8Array)) return isForm ? lastOfEach(body) : ownFields(body);
  if (isForm) return formFields(new URLSearchParams(textOf(body)));
  if (type === 'application/json') return body.byteLength === 0 ? {} : parseJson(textOf(body));
  return {};
}

async function bytesOf(incoming: Incoming): Promise<Uint8Array | Fields | undefined> {
  try {
    return await incoming.body(limits.body);
  } catch (error) {
    if (error instanceof RangeError) throw new BadRequest('the body is too long', 413);
    throw new BadRequest('the body broke off');
  }
}

/** The media type without its parameters (RFC 9110 §8.3.1), lower case. A look-alike is not equal to it. */
function mediaType(header: string | undefined): string {
  return header?.split(';')[0]?.trim().toLowerCase() ?? '';
}

const decoder = new TextDecoder();

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function parseJson(text: string): Fields {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest('the body is no JSON object');
  return ownFields(value as Fields);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('the body is no JSON');
  }
}

function formFields(form: URLSearchParams): Fields {
  const fields: Fields = Object.fromEntries(form);
  if (Object.keys(fields).length === form.size) return fields;
  for (const name of ONCE) {
    const values = form.getAll(name);
    if (values.length > 1) fields[name] = values;
  }
  return fields;
}

/** A form that the host has parsed: equal names have become lists. */
function lastOfEach(fields: Fields): Fields {
  const last = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) && !ONCE.has(name) ? value.at(-1) : value,
  ]);
  return ownFields(Object.fromEntries(last));
}

/**
 * A copy in which no field, however deep, can become a prototype when it is assigned.
 *
 * @throws {BadRequest} when it is so deep that it could not be written as JSON again, which hooks get it as.
 */
function ownFields(fields: Fields): Fields {
  if (isDeeper(fields, limits.bodyDepth)) throw new BadRequest('the body is nested too deeply');
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

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/**
 * The body of a web-standard request.
 *
 * @throws {RangeError} when it has more than `limit` bytes.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (!request.body) return undefined;
  try {
    return await readBounded(request.body, limit);
  } catch (error) {
    throw error instanceof FetchLimitError ? new RangeError('body too long') : error;
  }
}

/**
 * The body of a Node request: what a parser before us has made of it, else its bytes.
 *
 * @throws {RangeError} when it has more than `limit` bytes.
 */
export async function readNodeBody(request: NodeRequest, limit: number): Promise<Uint8Array | Fields | undefined> {
  const { body } = request;
  if (typeof body === 'string') return bounded(new TextEncoder().encode(body), limit);
  if (body instanceof Uint8Array) return bounded(body, limit);
  if (typeof body === 'object' && body !== null && !isUnread(request, body)) return body as Fields;
  if (request.readableEnded) return undefined;
  return readStream(request, limit);
}

/** The parsers of Express 4 leave `{}` behind where they have read nothing: bodies of another media type than theirs. */
function isUnread({ readableEnded }: NodeRequest, body: object): boolean {
  return readableEnded === false && Object.keys(body).length === 0;
}

/** So many times the limit is read, and thrown away: clients look for an answer when they have sent all. */
const DRAINED = 16;

async function readStream(request: NodeRequest, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array);
    size += part.byteLength;
    if (size <= limit) parts.push(part);
    else if (size > limit * DRAINED) break;
  }
  if (size > limit) throw new RangeError('body too long');
  return concatenated(parts, size);
}

function bounded(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.byteLength > limit) throw new RangeError('body too long');
  return bytes;
}
