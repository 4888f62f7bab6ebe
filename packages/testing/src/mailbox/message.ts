import { readHtml } from '../browser/html.ts';

/** The content of a mail. */
export interface Message {
  /** The headers by lower-case name, unfolded and decoded. Of equal names the first counts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly subject: string;
  /** The `text/plain` part; empty if it is absent. */
  readonly text: string;
  /** The `text/html` part; empty if it is absent. */
  readonly html: string;
  /** The URLs of the links in the HTML, then those in the text, without repetition. */
  readonly links: readonly string[];
}

/** Parses a mail (RFC 5322, multipart and the transfer encodings of MIME). Ignores attachments. Pure. */
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
  /** The decoded body; empty for a multipart body. */
  readonly text: string;
}

/** Returns a part and the parts inside it. */
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

/** Decodes a part's body (RFC 2045 §6). The text has one character per byte. Pure. */
function decodeBody(body: string, encoding: string): Uint8Array {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64');
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    default:
      return Buffer.from(body, 'latin1');
  }
}

/** RFC 2045 §6.7: removes soft line breaks, and decodes bytes such as `=3D`. */
function decodeQuotedPrintable(text: string): Uint8Array {
  const joined = text.replace(/[\t ]+$/gm, '').replace(/=\r?\n/g, '');
  const decoded = joined.replace(/=([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/** Decodes the encoded words of a header (RFC 2047 §2, §6.2). Pure. */
function decodeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?([^?*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi, (_, charset: string, kind: string, word: string) => {
      const body = kind.toLowerCase() === 'q' ? word.replaceAll('_', '=20') : word;
      return decodeText(decodeBody(body, kind.toLowerCase() === 'q' ? 'quoted-printable' : 'base64'), charset);
    });
}

/** Decodes bytes of a charset. If the runtime does not know the charset, it decodes UTF-8. */
function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // RangeError: no such charset
  }
}
