import { type PreparedPage, pageAnswerer } from '../limit/signin-page.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, csrfToken, origin, secret, usualCookies } from '../visitor.ts';
import { type Answering, asking } from './parts/asking.ts';
import { providersOf } from './parts/providers.ts';

const asked = { url: `${origin}${basePath}/signin`, cookies: usualCookies };

async function answeringOf(name: FamilyName, count: number): Promise<Answering> {
  const { auth } = await family(name);
  const config = { providers: await providersOf(name, count), secret, trustHost: true, basePath, logger };
  return (request) => auth(request, config);
}

/** Returns the constant parts of Latchkey's page. */
async function prepared(count: number): Promise<PreparedPage> {
  const answering = await answeringOf('latchkey', count);
  const answer = await answering(new Request(asked.url, { headers: { cookie: usualCookies } }));
  const text = await answer.text();
  const parts = text.split(new RegExp(`(${csrfToken}|(?<=name="callbackUrl" value=")${origin})`));
  const holes = parts
    .filter((_, index) => index % 2 === 1)
    .map((part) => (part === csrfToken ? 'csrfToken' : 'callbackUrl'));
  return { pieces: parts.filter((_, index) => index % 2 === 0), holes, headers: [...answer.headers] };
}

async function familyWork(name: FamilyName, count: number): Promise<Work> {
  return asking(await answeringOf(name, count), asked, 'github');
}

export const workshop: Workshop = {
  latchkey: (count: number) => familyWork('latchkey', count),
  authjs: (count: number) => familyWork('authjs', count),
  limit: async (count: number) => asking(pageAnswerer(await prepared(count), [secret]), asked, 'github'),
};
