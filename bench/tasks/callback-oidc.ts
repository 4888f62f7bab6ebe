import { describe } from '../answers/describe.ts';
import { callbackAnswerer } from '../limit/callback-oidc.ts';
import { open } from '../limit/parts/jwe.ts';
import { signInAnswerer } from '../limit/signin-oauth.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, claims, cookieNames, origin, secret, usualCookies } from '../visitor.ts';
import type { Answering } from './parts/asking.ts';
import {
  clientId,
  clientSecret,
  code,
  identityProvider,
  issuer,
  metadata,
  providerConfig,
} from './parts/identity-provider.ts';
import { asked, endpointOf } from './signin-oauth.ts';

/** The measured part: the callback alone, or the whole sign-in. */
type Part = 'callback' | 'whole';

const form = new URLSearchParams(asked.form).toString();
const formHeaders = { cookie: usualCookies, 'content-type': 'application/x-www-form-urlencoded' };

/** Starts a sign-in. Returns the URL and the cookies of the browser's next request to the application. */
async function begin(answering: Answering): Promise<{ url: string; cookie: string }> {
  const answer = await answering(new Request(asked.url, { method: 'POST', headers: formHeaders, body: form }));
  const location = answer.headers.get('location') ?? '';
  const at = location.indexOf('state=') + 6;
  const end = location.indexOf('&', at);
  const state = location.slice(at, end === -1 ? undefined : end);
  const set = answer.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(';')));
  return {
    url: `${origin}${basePath}/callback/idp?code=${code}&state=${state}`,
    cookie: `${usualCookies}; ${set.join('; ')}`,
  };
}

async function workOf(answering: Answering, part: Part): Promise<Work> {
  const prepared = await begin(answering);
  const run = async (): Promise<Response> => {
    const { url, cookie } = part === 'whole' ? await begin(answering) : prepared;
    return answering(new Request(url, { headers: { cookie } }));
  };
  return {
    run,
    async answer() {
      const answer = await run();
      const line = answer.headers.getSetCookie().find((each) => each.startsWith(`${cookieNames.session}=`)) ?? '';
      const token = line.slice(line.indexOf('=') + 1, line.indexOf(';'));
      const session = open(token, [secret], cookieNames.session, Math.floor(Date.now() / 1000));
      if (session?.['email'] !== claims.email)
        throw new Error(`the response does not sign in: ${JSON.stringify([...answer.headers])}`);
      return describe(answer);
    },
  };
}

async function familyWork(name: FamilyName, part: Part): Promise<Work> {
  const { auth, customFetch } = await family(name);
  const config = { providers: [providerConfig('oidc', customFetch)], secret, trustHost: true, basePath, logger };
  return workOf((request) => auth(request, config), part);
}

async function limitWork(part: Part): Promise<Work> {
  const fetch = identityProvider();
  const { keys } = (await (await fetch(metadata.jwks_uri)).json()) as { keys: [] };
  const provider = { id: 'idp', issuer, clientId, clientSecret, token: metadata.token_endpoint, keys, fetch };
  const start = signInAnswerer(endpointOf('oidc'), [secret]);
  const finish = callbackAnswerer(provider, [secret]);
  return workOf((request) => (request.method === 'POST' ? start(request) : finish(request)), part);
}

export const workshop: Workshop = {
  latchkey: (part: Part) => familyWork('latchkey', part),
  authjs: (part: Part) => familyWork('authjs', part),
  limit: limitWork,
};
