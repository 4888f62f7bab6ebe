/** A start or end tag, or a run of text between tags. */
export type HtmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Elements that contain text only, up to their end tag. */
const RAW_TEXT = ['script', 'style', 'textarea', 'title', 'noscript'];

const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>|<[!?][^>]*>/gi;
const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/**
 * Splits an HTML page into tags and text. The page must be well formed: there is no error recovery. Leaves out
 * comments, doctypes, and the content of `script` and `style`. Decodes entities. Pure.
 */
export function readHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let at = 0;
  const pattern = new RegExp(TAG);
  for (let match = pattern.exec(html); match; match = pattern.exec(html)) {
    addText(tokens, html.slice(at, match.index));
    at = pattern.lastIndex;
    const name = match[2]?.toLowerCase();
    if (name === undefined) continue;
    if (match[1]) {
      tokens.push({ kind: 'close', name });
      continue;
    }
    tokens.push({ kind: 'open', name, attributes: readAttributes(match[3] ?? '') });
    if (!RAW_TEXT.includes(name)) continue;
    const end = html.toLowerCase().indexOf(`</${name}`, at);
    const content = html.slice(at, end < 0 ? html.length : end);
    if (name !== 'script' && name !== 'style' && name !== 'noscript') addText(tokens, content);
    at += content.length;
    pattern.lastIndex = at;
  }
  addText(tokens, html.slice(at));
  return tokens;
}

/** Decodes numeric entities and a few named ones. Others stay as they are. Pure. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES.get(name ?? '') ?? whole;
  });
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

function addText(tokens: HtmlToken[], text: string): void {
  if (text) tokens.push({ kind: 'text', text: decodeEntities(text) });
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    // Of two attributes with one name the first counts, as in browsers.
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''));
  }
  return attributes;
}
