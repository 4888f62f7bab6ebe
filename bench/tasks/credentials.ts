import { credentialsAnswerer } from '../limit/credentials.ts';
import { signInByPassword } from '../peers/better-auth.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, claims, cookieNames, csrfToken, origin, secret, usualCookies } from '../visitor.ts';
import { asking } from './parts/asking.ts';

const form = { csrfToken, callbackUrl: origin, username: 'ada', password: 'the-analytical-engine' };
const asked = { url: `${origin}${basePath}/callback/credentials`, cookies: usualCookies, form };

/** Does not hash the password, because the hash would take longer than all other steps. */
async function authorize({
  username,
  password,
}: Record<string, unknown>): Promise<{ id: string; name: string; email: string; image: string } | null> {
  const { sub: id, name, email, picture: image } = claims;
  return username === form.username && password === form.password ? { id, name, email, image } : null;
}

async function familyWork(name: FamilyName): Promise<Work> {
  const { auth } = await family(name);
  const credentials = { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } };
  const provider = { id: 'credentials', name: 'Password', type: 'credentials', credentials, authorize };
  // The other libraries do not limit attempts, and ignore this option.
  const config = { providers: [provider], secret, trustHost: true, basePath, logger, rateLimit: false as const };
  return asking((request) => auth(request, config), asked, cookieNames.session);
}

export const workshop: Workshop = {
  latchkey: () => familyWork('latchkey'),
  authjs: () => familyWork('authjs'),
  'better-auth': signInByPassword,
  limit: () => asking(credentialsAnswerer(authorize, [secret]), asked, cookieNames.session),
};
