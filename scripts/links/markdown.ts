/** A link of a Markdown text. */
export interface Link {
  /** Path, anchor or URL, as it is written. */
  readonly target: string;
  /** Number of the line, from 1. */
  readonly line: number;
}

/**
 * Returns the links and images of a Markdown text, also bare URLs. Code and quoted URLs are left out.
 *
 * ```ts
 * linksIn('Read [pages](pages.md#signin).'); // [{ target: 'pages.md#signin', line: 1 }]
 * ```
 */
export function linksIn(text: string): Link[] {
  return withoutCode(text)
    .split('\n')
    .flatMap((content, index) => {
      const inline = [...content.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
      const defined = [...content.matchAll(/^\s*\[[^\]]+\]:\s*(\S+)/g)];
      const bare = [...content.matchAll(/(?<![("“\]\w])(https?:\/\/[^\s)>"”\]]*[^\s)>"”\].,:;])/g)];
      return [...inline, ...defined, ...bare].map(([, target = '']) => ({ target, line: index + 1 }));
    });
}

/**
 * Returns the anchors of a Markdown text, as GitHub and the documentation site make them: of its headings, and of
 * elements with an `id`.
 *
 * ```ts
 * anchorsIn('## `NODE_ENV`\n## Other\n## Other'); // Set { 'node_env', 'other', 'other-1' }
 * ```
 */
export function anchorsIn(text: string): Set<string> {
  const found = new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id));
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const anchor = anchorOf(heading);
    let free = anchor;
    for (let count = 1; found.has(free); count++) free = `${anchor}-${count}`;
    found.add(free);
  }
  return found;
}

function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Lines stay, so that their numbers do not change. */
function withoutCode(text: string): string {
  return withoutFences(text).replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '``');
}

function withoutFences(text: string): string {
  return text.replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2 *$/gm, (block) => block.replace(/.+/g, ''));
}
