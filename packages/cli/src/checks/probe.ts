import { envName } from './configuration.ts';
import type { Report } from './finding.ts';
import { isAcceptable, type Metadata, type RemoteProvider } from './providers.ts';
import { get, jsonObject } from './request.ts';

/**
 * Sends an invalid code to the token endpoint. The error tells whether the provider accepts client id and secret:
 * `invalid_grant` if it does, `invalid_client` if it does not (RFC 6749 §5.2).
 */
export async function probeClient(
  provider: RemoteProvider,
  metadata: Metadata | undefined,
  report: Report,
): Promise<void> {
  const { id, clientId, clientSecret, client, token, redirectUri } = provider;
  const url = token.url?.href ?? metadata?.['token_endpoint'];
  const method = client.token_endpoint_auth_method ?? 'client_secret_basic';
  // Other methods sign an assertion.
  if (typeof url !== 'string' || !clientSecret || token.request || !SIMPLE.has(method)) return;
  if (!isAcceptable(url, provider)) return;
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'latchkey-probe',
    redirect_uri: redirectUri,
    code_verifier: 'latchkey-probe-latchkey-probe-latchkey-probe',
  });
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (method === 'client_secret_basic') {
    headers['authorization'] = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
  } else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const answer = await get(url, provider.fetch, { method: 'POST', body: form, headers });
  const error = answer.ok ? jsonObject(answer.body)?.['error'] : undefined;
  const isRefused =
    answer.ok && (error === 'invalid_client' || error === 'unauthorized_client' || (answer.status === 401 && !error));
  report.check(
    'client-refused',
    isRefused && {
      message: `provider "${id}": ${url} refused this client (${answer.status} ${String(error ?? '')}).`.replace(
        ' )',
        ')',
      ),
      remedy: `Check AUTH_${envName(id)}_ID and AUTH_${envName(id)}_SECRET. They were sent as ${method}.`,
      facts: { provider: id, method },
    },
  );
}

const SIMPLE: ReadonlySet<string> = new Set(['client_secret_basic', 'client_secret_post']);
