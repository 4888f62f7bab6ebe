import { type Html, html } from './html.ts';
import { mark, style } from './style.ts';

/** What all pages have around their content. */
export function page(title: string, content: Html): string {
  return `<!doctype html>${html`
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Latchkey demo</title>
${style}
</head>
<body>
<header><a class="brand" href="/">${mark}Latchkey</a><span>Express demo</span><a href="/inbox">Inbox</a></header>
<main>${content}</main>
<footer>For scripts: <a href="/auth/session">/auth/session</a> <a href="/auth/providers">/auth/providers</a> <a href="/auth/csrf">/auth/csrf</a></footer>
</body>
</html>
`}`;
}

/** The way out. */
export const signOut: Html = html`<a class="button quiet" href="/auth/signout?callbackUrl=/">Sign out</a>`;
