import { type Html, html } from './html.ts';
import { mark, style } from './style.ts';

/** The facts about a demo that all its pages show. */
export interface Site {
  /** `Express demo` */
  readonly name: string;
  /** URL of the start page; a path if it has the same origin. */
  readonly home: string;
  /** URL of the sign-in page, after which visitors return to the start page. */
  readonly signIn: string;
  /** Path of the inbox. Default: `/inbox`. */
  readonly inbox?: string | undefined;
  /** The text at the bottom of each page. */
  readonly footer?: Html | undefined;
}

/** Returns the path of a demo's inbox. */
export const inboxPath = (site: Site): string => site.inbox ?? '/inbox';

/** Returns a page with the common header and footer. */
export function layout(site: Site, title: string, content: Html): string {
  return `<!doctype html>${html`
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Latchkey demo</title>
${style}
</head>
<body>
<header><a class="brand" href="${site.home}">${mark}Latchkey</a><span>${site.name}</span><a href="${inboxPath(site)}">Inbox</a></header>
<main>${content}</main>
${site.footer && html`<footer>${site.footer}</footer>`}
</body>
</html>
`}`;
}
