import { type Known, providersAnswerer } from '../limit/providers.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, origin, secret, usualCookies } from '../visitor.ts';
import { asking } from './parts/asking.ts';
import { providersOf } from './parts/providers.ts';

const asked = { url: `${origin}${basePath}/providers`, cookies: usualCookies };

async function familyWork(name: FamilyName, count: number): Promise<Work> {
  const { auth } = await family(name);
  const config = { providers: await providersOf(name, count), secret, trustHost: true, basePath, logger };
  return asking((request) => auth(request, config), asked, 'callback/github');
}

export const workshop: Workshop = {
  latchkey: (count: number) => familyWork('latchkey', count),
  authjs: (count: number) => familyWork('authjs', count),
  limit: async (count: number) => {
    const providers = (await providersOf('latchkey', count)) as Known[];
    return asking(providersAnswerer(providers), asked, 'callback/github');
  },
};
