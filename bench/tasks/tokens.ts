import { open, seal } from '../limit/parts/jwe.ts';
import { type FamilyName, family } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { claims, cookieNames, secret } from '../visitor.ts';

/** The function, and the number of secrets. The oldest secret has sealed the token for `decode`. */
interface Sealing {
  readonly does: 'encode' | 'decode';
  readonly secrets: number;
}

const salt = cookieNames.session;
const maxAge = 2_592_000;
const now = (): number => Math.floor(Date.now() / 1000);

function secretsOf({ secrets }: Sealing): string[] {
  return Array.from({ length: secrets }, (_, index) => (index === secrets - 1 ? secret : `${secret}-${index}`));
}

async function familyWork(name: FamilyName, sealing: Sealing): Promise<Work> {
  const { encode, decode } = await family(name);
  const list = secretsOf(sealing);
  const given = list.length === 1 ? secret : list;
  const token = seal(claims, secret, salt, maxAge, now());
  if (sealing.does === 'encode') {
    const run = (): Promise<string> => encode({ token: claims, secret: given, salt, maxAge });
    return { run, answer: async () => checked(open(await run(), list, salt, now())) };
  }
  const run = (): Promise<object | null> => decode({ token, secret: given, salt });
  return { run, answer: async () => checked(await run()) };
}

function limitWork(sealing: Sealing): Work {
  const list = secretsOf(sealing);
  const token = seal(claims, secret, salt, maxAge, now());
  if (sealing.does === 'encode') {
    const run = (): string => seal(claims, list[0] as string, salt, maxAge, now());
    return { run, answer: async () => checked(open(run(), list, salt, now())) };
  }
  const run = (): object | undefined => open(token, list, salt, now());
  return { run, answer: async () => checked(run()) };
}

/** Returns the claims without the times and the id, which it checks. */
function checked(found: object | null | undefined): object {
  const { iat, exp, jti, ...rest } = (found ?? {}) as Record<string, unknown>;
  if (typeof iat !== 'number' || exp !== iat + maxAge || typeof jti !== 'string')
    throw new Error('a token without its times');
  if (rest['email'] !== claims.email) throw new Error('the token belongs to another user');
  return rest;
}

export const workshop: Workshop = {
  latchkey: (sealing: Sealing) => familyWork('latchkey', sealing),
  authjs: (sealing: Sealing) => familyWork('authjs', sealing),
  limit: limitWork,
};
