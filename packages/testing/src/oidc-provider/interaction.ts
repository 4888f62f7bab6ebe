import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findUser, type OidcUser } from './configuration.ts';
import type { Grant, Interaction, OidcLibrary } from './library.ts';

/** The path below which {@link handleInteraction} answers. */
export const INTERACTION_PATH = '/interaction/';

/** The maximum size of a form in bytes. */
const FORM_LIMIT = 16 * 1024;

/** Shows the login page, and reads the visitor's decision. */
export async function handleInteraction(
  library: OidcLibrary,
  users: readonly OidcUser[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await library.interactionDetails(request, response).catch(() => null);
  if (!interaction)
    return sendPage(
      response,
      400,
      factsPage('This sign-in is over', { reason: 'It took too long or was finished before.' }),
    );
  if (request.method !== 'POST') return sendPage(response, 200, questionPage(interaction, users));
  const form = await readForm(request);
  const finish = (result: Readonly<Record<string, unknown>>): Promise<void> =>
    library.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (form.has('cancel')) return finish({ error: 'access_denied', error_description: 'the visitor cancelled' });
  if (interaction.prompt.name === 'consent' && interaction.session) {
    return finish({ consent: { grantId: await saveGrant(library, interaction, interaction.session.accountId) } });
  }
  const login = form.get('login') ?? '';
  const user = findUser(users, login, form.get('password') ?? '');
  if (!user)
    return sendPage(response, 401, questionPage(interaction, users, { login, error: 'Login or password is wrong.' }));
  return finish({
    login: { accountId: user.sub },
    consent: { grantId: await saveGrant(library, interaction, user.sub) },
  });
}

function questionPage(
  { uid, prompt, params, session }: Interaction,
  users: readonly OidcUser[],
  typed?: { login: string; error: string },
): string {
  const common = { action: `${INTERACTION_PATH}${uid}`, clientId: params.client_id, scope: params.scope ?? '' };
  const signedIn = prompt.name === 'consent' ? users.find(({ sub }) => sub === session?.accountId) : undefined;
  if (signedIn) return consentPage({ ...common, name: signedIn.name });
  return loginPage({ ...common, users, login: typed?.login ?? params.login_hint ?? '', error: typed?.error });
}

/** Grants all requested scopes and claims. Extends an earlier grant of the same visitor. */
async function saveGrant(library: OidcLibrary, interaction: Interaction, accountId: string): Promise<string> {
  const { params, prompt, session, grantId } = interaction;
  const isSamePerson = session?.accountId === accountId;
  const known: Grant | undefined =
    grantId !== undefined && isSamePerson ? await library.Grant.find(grantId) : undefined;
  const grant = known ?? new library.Grant({ accountId, clientId: params.client_id });
  if (params.scope) grant.addOIDCScope(params.scope);
  const { missingOIDCClaims } = prompt.details;
  if (Array.isArray(missingOIDCClaims)) grant.addOIDCClaims(missingOIDCClaims.map(String));
  return grant.save();
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, pageHeaders).end(html);
}

/** Reads a form. @throws {RangeError} if the form is too large. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    if (size > FORM_LIMIT) throw new RangeError('form is too large');
    chunks.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** The content of the login page. */
interface LoginPage {
  /** The address to which its forms post. */
  readonly action: string;
  readonly clientId: string;
  /** The scopes that the client requests. */
  readonly scope: string;
  readonly users: readonly OidcUser[];
  /** The value of the login field. */
  readonly login: string;
  readonly error: string | undefined;
}

/** The content of the consent page, for a visitor who is signed in. */
interface ConsentPage {
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

/**
 * Headers of each page: only its style sheet is allowed. Without `form-action`, because the forms redirect to the
 * client.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Returns the login page. A visitor who signs in also consents. Pure. */
function loginPage({ action, clientId, scope, users, login, error }: LoginPage): string {
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

/** Returns the consent page for a visitor who is signed in. Pure. */
function consentPage({ action, clientId, scope, name }: ConsentPage): string {
  return page(
    'Continue',
    `<h1>Continue as ${escapeHtml(name)}?</h1>${purpose(clientId, scope)}
<form method="post" action="${escapeHtml(action)}">
<button class="main" name="consent" value="yes">Continue</button>
<button name="cancel" value="yes">Cancel</button>
</form>`,
  );
}

/** Returns an error page with a heading and facts. Pure. */
export function factsPage(title: string, facts: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(facts).map(
    ([name, value]) => `<p><code>${escapeHtml(name)}</code>: ${escapeHtml(String(value))}</p>`,
  );
  return page(title, `<h1>${escapeHtml(title)}</h1>${lines.join('')}`);
}

/** Returns the sign-out page. `form` is the library's empty form, to which the buttons belong. Pure. */
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
