import { createHash } from 'node:crypto';
import type { OidcUser } from './users.ts';

/** What the login page shows. */
export interface LoginPage {
  /** Where its forms post to. */
  readonly action: string;
  readonly clientId: string;
  /** Scopes the client asks for. */
  readonly scope: string;
  readonly users: readonly OidcUser[];
  /** What stands in the login field. */
  readonly login: string;
  readonly error: string | undefined;
}

/** What the consent page shows to a visitor who is signed in already. */
export interface ConsentPage {
  readonly action: string;
  readonly clientId: string;
  readonly scope: string;
  readonly name: string;
}

const STYLE = `:root{color-scheme:light dark;--back:light-dark(#eef1f6,#10141b);--card:light-dark(#fff,#1a202b);--text:light-dark(#1a2230,#e8ecf3);--soft:light-dark(#566176,#a3aec2);--line:light-dark(#c9d1de,#39445a);--accent:light-dark(#1f55c4,#8fb2ff);--on-accent:light-dark(#fff,#0d1626);--bad:light-dark(#a3182b,#ff9aa6)}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:25rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:2rem}
h1{margin:0 0 .25rem;font-size:1.4rem;line-height:1.25}p{margin:0 0 1.25rem;color:var(--soft)}h2{margin:1.75rem 0 .5rem;font-size:.95rem;font-weight:600;color:var(--soft)}
label{display:block;margin:0 0 1rem;font-weight:600;font-size:.95rem}input{display:block;width:100%;margin-top:.3rem;padding:.6rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--back);color:inherit;font:inherit}
button{width:100%;padding:.65rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:none;color:inherit;font:inherit;cursor:pointer}button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600;margin-bottom:.6rem}
button:hover{filter:brightness(1.07)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
ul{list-style:none;margin:0;padding:0}li+li{margin-top:.5rem}li button{text-align:left;line-height:1.35}small{display:block;color:var(--soft);font-size:.85rem}
.error{color:var(--bad);font-weight:600}code{font-size:.95em;overflow-wrap:anywhere}`;

/** Headers of every page: only the one style sheet is allowed. No `form-action`, as the forms lead on to the client by redirect. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Login and consent in one: who signs in here agrees to what the client asks for. Pure. */
export function loginPage({ action, clientId, scope, users, login, error }: LoginPage): string {
  const submit = escapeHtml(action);
  return page(
    'Sign in',
    `<h1>Sign in</h1>${purpose(clientId, scope)}
${error === undefined ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
<form method="post" action="${submit}">
<label>Login<input name="login" value="${escapeHtml(login)}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">Sign in</button>
<button name="cancel" value="yes" formnovalidate>Cancel</button>
</form>
${users.length ? `<h2>Or sign in as a test user</h2><ul>${users.map((user) => userItem(submit, user)).join('')}</ul>` : ''}`,
  );
}

/** Asks a visitor who is signed in already whether a client may know the asked things. Pure. */
export function consentPage({ action, clientId, scope, name }: ConsentPage): string {
  return page(
    'Continue',
    `<h1>Continue as ${escapeHtml(name)}?</h1>${purpose(clientId, scope)}
<form method="post" action="${escapeHtml(action)}">
<button class="main" name="consent" value="yes">Continue</button>
<button name="cancel" value="yes">Cancel</button>
</form>`,
  );
}

/** A page with a heading and facts, for errors. Pure. */
export function factsPage(title: string, facts: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(facts).map(
    ([name, value]) => `<p><code>${escapeHtml(name)}</code>: ${escapeHtml(String(value))}</p>`,
  );
  return page(title, `<h1>${escapeHtml(title)}</h1>${lines.join('')}`);
}

/** Asks whether to sign out. `form` is the library's own empty form, which the buttons belong to. Pure. */
export function logoutPage(form: string): string {
  return page(
    'Sign out',
    `<h1>Sign out of the test provider?</h1>${form}
<button class="main" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button form="op.logoutForm">Stay signed in</button>`,
  );
}

/** Escapes text for HTML content and quoted attributes. Pure. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Test provider</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main>${content}</main></body></html>
`;
}

function purpose(clientId: string, scope: string): string {
  const known = scope.split(' ').filter((name) => name && name !== 'openid');
  const wish = known.length
    ? `wants to know: ${known.map((name) => `<code>${escapeHtml(name)}</code>`).join(', ')}`
    : 'wants to know who you are';
  return `<p><strong>${escapeHtml(clientId)}</strong> ${wish}.</p>`;
}

function userItem(submit: string, { login, password, name, email, email_verified }: OidcUser): string {
  return `<li><form method="post" action="${submit}"><input type="hidden" name="login" value="${escapeHtml(login)}"><input type="hidden" name="password" value="${escapeHtml(password)}"><button>${escapeHtml(name)}<small>${escapeHtml(login)} / ${escapeHtml(password)} · ${escapeHtml(email)}${email_verified ? '' : ' (unverified)'}</small></button></form></li>`;
}
