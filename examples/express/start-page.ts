import type { Session } from '@latchkey/express';
import { defaultUsers } from '@latchkey/testing/oidc-provider';
import { demoUser } from '../shared/demo-user.ts';
import { type Html, html } from '../shared/html.ts';
import { sessionCookies } from './auth.ts';
import { page, signOut } from './layout.ts';
import type { SessionMode } from './session-mode.ts';
import { modeNames, modeSwitch } from './session-switch.ts';

/** The data of the start page. */
export interface StartPageData {
  session: Session | null;
  mode: SessionMode;
  /** Number of the visitor's database sessions; `null` if the store cannot count them. */
  rows: number | null;
  /** Name of the store. */
  store: string;
}

/** Returns the start page, which shows the session. */
export function startPage({ session, mode, rows, store }: StartPageData): string {
  return session ? signedIn(session, mode, rows, store) : signedOut(mode, store);
}

function signedOut(mode: SessionMode, store: string): string {
  return page(
    'Signed out',
    html`<section class="card">
<h1>You are not signed in</h1>
<p class="soft"><code>getSession(req, config)</code> found no session. In use: <a href="#sessions">${modeNames[mode]}</a>.</p>
<p class="buttons"><a class="button" href="/auth/signin?callbackUrl=/">Sign in</a><a class="button quiet" href="/private">Private page</a></p>
</section>
<section>
<h2>Who can sign in</h2>
<table>
<thead><tr><th scope="col">Login</th><th scope="col">Password</th><th scope="col">Who</th></tr></thead>
<tbody><tr><th colspan="3" scope="rowgroup">With the Demo Provider</th></tr>
${defaultUsers.map((user) => userRow(user, !user.email_verified && 'address not verified: a mail confirms it first'))}</tbody>
<tbody><tr><th colspan="3" scope="rowgroup">With a password</th></tr>
${userRow(demoUser)}</tbody>
<tbody><tr><th colspan="3" scope="rowgroup">With email</th></tr>
<tr><td colspan="2">any email address</td><td>the reader of the <a href="/inbox">inbox</a><small>it shows all mails; no mail leaves this machine</small></td></tr></tbody>
<tbody><tr><th colspan="3" scope="rowgroup">With a passkey</th></tr>
<tr><td colspan="2">none</td><td>the user who created the passkey<small>create an account on the sign-in page, or <a href="/auth/signin?callbackUrl=/">add</a> one while you are signed in</small></td></tr></tbody>
</table>
</section>
${modeSwitch(mode, store)}`,
  );
}

function userRow(user: { login: string; password: string; name: string }, note: string | false = false): Html {
  const { login, password, name } = user;
  return html`<tr><td><code>${login}</code></td><td><code>${password}</code></td><td>${name}${note && html`<small>${note}</small>`}</td></tr>`;
}

function signedIn(session: Session, mode: SessionMode, rows: number | null, store: string): string {
  const { name, email, image } = session.user ?? {};
  return page(
    name ?? 'Signed in',
    html`<section class="card">
<div class="person">${image && html`<img src="${image}" alt="" width="56" height="56">`}
<div><h1>${name ?? email ?? 'Unnamed user'}</h1>${name && email && html`<p class="soft">${email}</p>`}</div></div>
<p class="buttons"><a class="button" href="/auth/account">Your account</a><a class="button quiet" href="/private">Private page</a><a class="button quiet" href="/auth/sessions">Your sessions</a>${signOut}</p>
</section>
<section>
<h2>The session <small>as <code>getSession(req, config)</code> returns it</small></h2>
<pre tabindex="0" aria-label="The session as JSON">${JSON.stringify(session, null, 2)}</pre>
<p class="note soft">${whereKept(mode, rows, store)}</p>
</section>
${modeSwitch(mode, store)}`,
  );
}

function whereKept(mode: SessionMode, rows: number | null, store: string): Html {
  const cookie = html`<code>${sessionCookies[mode]}</code>`;
  if (mode === 'jwt') return html`Kept in the cookie ${cookie}, encrypted. ${store} has a record that it is live.`;
  if (rows === null) return html`Kept in ${store}. The cookie ${cookie} has the token.`;
  const count = rows === 1 ? '1 row' : `${rows} rows`;
  return html`Kept in the table <code>auth_sessions</code>, which has ${count} of this user. The cookie ${cookie} has the token.`;
}
