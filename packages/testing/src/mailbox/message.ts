import { readHtml } from '../browser/html.ts';
import { decodeBody, decodeText, decodeWords } from './transfer-encoding.ts';

/** The content of a mail. */
export interface Message {
  /** By lower-case name; the first of equal names, unfolded, with encoded words resolved. */
  readonly headers: ReadonlyMap<string, string>;
  readonly subject: string;
  /** The `text/plain` part; empty when there is none. */
  readonly text: string;
  /** The `text/html` part; empty when there is none. */
  readonly html: string;
  /** Addresses of the links of the HTML, then those in the text; each once. */
  readonly links: readonly string[];
}

/** Reads a mail (RFC 5322, multipart and the usual transfer encodings of MIME). Attachments are passed over. Pure. */
export function parseMessage(raw: Uint8Array): Message {
  const parts = readPart(Buffer.from(raw).toString('latin1'));
  const headers = parts[0]?.headers ?? new Map<string, string>();
  const [text, html] = ['text/plain', 'text/html'].map((type) => parts.find((part) => part.type === type)?.text ?? '');
  return {
    headers,
    subject: headers.get('subject') ?? '',
    text: text ?? '',
    html: html ?? '',
    links: [...new Set([...hrefs(html ?? ''), ...((text ?? '').match(/https?:\/\/[^\s<>"]+/g) ?? [])])],
  };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  /** Media type, lower case. */
  readonly type: string;
  /** Decoded body; empty for what has parts itself. */
  readonly text: string;
}

/** The part, and those inside it. */
function readPart(source: string): Part[] {
  const [, head = '', body = ''] = /^([\s\S]*?)(?:\r?\n){2}([\s\S]*)$/.exec(source) ?? ['', source, ''];
  const headers = readHeaders(head);
  const contentType = headers.get('content-type') ?? 'text/plain';
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const boundary = parameter(contentType, 'boundary');
  if (type.startsWith('multipart/') && boundary !== undefined)
    return [{ headers, type, text: '' }, ...splitParts(body, boundary).flatMap(readPart)];
  const bytes = decodeBody(body, headers.get('content-transfer-encoding') ?? '7bit');
  return [{ headers, type, text: decodeText(bytes, parameter(contentType, 'charset')).replaceAll('\r\n', '\n') }];
}

/** RFC 2046 §5.1.1: the line break before a delimiter belongs to the delimiter. */
function splitParts(body: string, boundary: string): string[] {
  const [inner = ''] = `\r\n${body}`.split(`\r\n--${boundary}--`);
  return inner
    .split(`\r\n--${boundary}`)
    .slice(1)
    .map((part) => part.replace(/^[\t ]*\r\n/, ''));
}

function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n(?=[\t ])/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    // Raw bytes beyond ASCII are UTF-8 (RFC 6532 §3.2).
    const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString();
    if (colon > 0 && !headers.has(name)) headers.set(name, decodeWords(value));
  }
  return headers;
}

function parameter(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(header);
  return match?.[1] ?? match?.[2];
}

function hrefs(html: string): string[] {
  return readHtml(html).flatMap((token) => {
    const href = token.kind === 'open' && token.name === 'a' ? token.attributes.get('href') : undefined;
    return href === undefined ? [] : [href];
  });
}
