import { type Html, html } from './html.ts';
import { mark, style } from './style.ts';

/** What every page of a demo says about it. */
export interface Site {
  /** `Express demo` */
  readonly name: string;
  /** Address of the start page; a path where it is the same site. */
  readonly home: string;
  /** Address of the sign-in page, which leads back to the start page. */
  readonly signIn: string;
  /** Path of the inbox. Default: `/inbox`. */
  readonly inbox?: string | undefined;
  /** What stands at the bottom of each page. */
  readonly footer?: Html | undefined;
}

/** Where the inbox of a demo is. */
export const inboxPath = (site: Site): string => site.inbox ?? '/inbox';

/** What all pages have around their content. */
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
