import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Grant, Interaction, OidcLibrary } from './library.ts';
import { consentPage, factsPage, loginPage, pageHeaders } from './pages.ts';
import { findUser, type OidcUser } from './users.ts';

/** Path below which {@link handleInteraction} answers. */
export const INTERACTION_PATH = '/interaction/';

/** Largest form that is read, in bytes. */
const FORM_LIMIT = 16 * 1024;

/** Shows the login page and reads what the visitor decides. */
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

/** Everything asked for is granted; a grant of the same visitor is extended. */
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

/** @throws {RangeError} when the form is larger than any honest one. */
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
