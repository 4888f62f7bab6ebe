import type { Session } from '@latchkey/express';
import { defaultUsers } from '@latchkey/testing/oidc-provider';
import { demoUser } from './demo-user.ts';
import { type Html, html } from './html.ts';
import { mark, style } from './style.ts';

/** The page for everybody: who is signed in? */
export function startPage(session: Session | null): string {
  return session ? signedIn(session) : signedOut();
}

/** The page for those who are signed in. */
export function privatePage({ user }: Session): string {
  return page(
    'Private page',
    html`<section class="card">
<h1>The private page</h1>
<p class="soft">Only those who are signed in can read this. Everybody else is sent to sign in, and comes back here.</p>
<p>You are <strong>${user?.name ?? user?.email}</strong>.</p>
<p class="buttons"><a class="button quiet" href="/">Back to the start</a>${signOut}</p>
</section>`,
  );
}

/** Nothing is at this address. */
export function missingPage(): string {
  return message('Nothing is here', 'This demo has a start page and a private page.');
}

/** Something went wrong; the console says what. */
export function failurePage(): string {
  return message('That did not work', 'The console in which the demo was started tells more.');
}

const signOut: Html = html`<a class="button quiet" href="/auth/signout?callbackUrl=/">Sign out</a>`;

function signedOut(): string {
  return page(
    'Signed out',
    html`<section class="card">
<h1>Nobody is signed in</h1>
<p class="soft"><code>getSession(req, config)</code> found no session.</p>
<p class="buttons"><a class="button" href="/auth/signin?callbackUrl=/">Sign in</a><a class="button quiet" href="/private">Private page</a></p>
</section>
<section>
<h2>Who can sign in</h2>
<table>
<thead><tr><th scope="col">Login</th><th scope="col">Password</th><th scope="col">Who</th></tr></thead>
<tbody><tr><th colspan="3" scope="rowgroup">With the Demo Provider</th></tr>
${defaultUsers.map((user) => userRow(user, !user.email_verified && 'address not verified: is turned away'))}</tbody>
<tbody><tr><th colspan="3" scope="rowgroup">With the form on the sign-in page</th></tr>
${userRow(demoUser)}</tbody>
</table>
</section>`,
  );
}

function userRow(user: { login: string; password: string; name: string }, note: string | false = false): Html {
  const { login, password, name } = user;
  return html`<tr><td><code>${login}</code></td><td><code>${password}</code></td><td>${name}${note && html`<small>${note}</small>`}</td></tr>`;
}

function signedIn(session: Session): string {
  const { name, email, image } = session.user ?? {};
  return page(
    name ?? 'Signed in',
    html`<section class="card">
<div class="person">${image && html`<img src="${image}" alt="" width="56" height="56">`}
<div><h1>${name ?? email ?? 'Somebody'}</h1>${name && email && html`<p class="soft">${email}</p>`}</div></div>
<p class="buttons"><a class="button" href="/private">Private page</a>${signOut}</p>
</section>
<section>
<h2>The session <small>as <code>getSession(req, config)</code> returns it</small></h2>
<pre tabindex="0" aria-label="The session as JSON">${JSON.stringify(session, null, 2)}</pre>
</section>`,
  );
}

function message(title: string, text: string): string {
  return page(
    title,
    html`<section class="card"><h1>${title}</h1><p class="soft">${text}</p>
<p class="buttons"><a class="button quiet" href="/">To the start</a></p></section>`,
  );
}

function page(title: string, content: Html): string {
  return `<!doctype html>${html`
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Latchkey demo</title>
${style}
</head>
<body>
<header><a href="/">${mark}Latchkey</a><span>Express demo</span></header>
<main>${content}</main>
<footer>For scripts: <a href="/auth/session">/auth/session</a> <a href="/auth/providers">/auth/providers</a> <a href="/auth/csrf">/auth/csrf</a></footer>
</body>
</html>
`}`;
}
