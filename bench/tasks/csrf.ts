import { csrf } from '../limit/csrf.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, origin, secret } from '../visitor.ts';
import { asking } from './parts/asking.ts';
import { providersOf } from './parts/providers.ts';

const asked = { url: `${origin}${basePath}/csrf` };

async function familyWork(name: FamilyName): Promise<Work> {
  const { auth } = await family(name);
  const config = { providers: await providersOf(name, 1), secret, trustHost: true, basePath, logger };
  return asking((request) => auth(request, config), asked, 'csrfToken');
}

export const workshop: Workshop = {
  latchkey: () => familyWork('latchkey'),
  authjs: () => familyWork('authjs'),
  limit: () => asking((request) => csrf(request, [secret]), asked, 'csrfToken'),
};
