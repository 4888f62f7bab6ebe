import type { SessionRecords } from '@latchkey/core/types';
import { describe } from '../answers/describe.ts';
import { seal } from '../limit/parts/jwe.ts';
import { session as portableSession } from '../limit/portable/session-jwt.ts';
import { session } from '../limit/session-jwt.ts';
import { readSession } from '../peers/better-auth.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, claims, cookieNames, origin, secret, usualCookies } from '../visitor.ts';
import { providersOf } from './parts/providers.ts';

/** The parameter of the row. */
export interface Asking {
  /** Default: the cookies of a session. */
  readonly cookies?: 'none' | undefined;
  /** Default: 1. */
  readonly inFlight?: number | undefined;
  /** Whether the configuration is a new object for each request. */
  readonly fresh?: boolean | undefined;
  /** Default: 1. */
  readonly providers?: number | undefined;
  /** Default: 1. */
  readonly secrets?: number | undefined;
  /** Whether the limit, too, does not use `node:crypto`. */
  readonly portable?: boolean | undefined;
  /** Whether the token says how the session began. */
  readonly claim?: boolean | undefined;
  /** Whether the configuration keeps records. */
  readonly records?: boolean | undefined;
}

const secrets = (count = 1): string[] => [
  secret,
  ...Array.from({ length: count - 1 }, (_, index) => `${secret}-${index}`),
];

/** When the session began. Whole minutes, so that all answers have the same claim. */
const start = Math.floor(Date.now() / 60_000) * 60_000 - 86_400_000;
const claim = { sid: 'Yk3mC1vN0aQe7sT2xLw9Zg', start, provider: 'idp', amr: ['pwd'] };

/** A record store that answers at once. Within the lag, it is not called. */
const store: SessionRecords = {
  check: (id) => {
    const startedAt = new Date(start);
    const expires = new Date(start + 2_592_000_000);
    return { id, userId: claims.sub, startedAt, authTime: startedAt, amr: [], seenAt: new Date(), expires };
  },
  create: () => undefined,
  find: () => [],
  remove: () => [],
  endBefore: () => undefined,
};

function workOf(answering: (request: Request) => Response | Promise<Response>, asking: Asking): Work {
  const content = asking.claim ? { ...claims, latchkey: claim } : claims;
  const token = seal(content, secret, cookieNames.session, 2_592_000, Math.floor(Date.now() / 1000));
  const headers: Record<string, string> =
    asking.cookies === 'none' ? {} : { cookie: `${usualCookies}; ${cookieNames.session}=${token}` };
  const run = (): Response | Promise<Response> => answering(new Request(`${origin}${basePath}/session`, { headers }));
  return {
    run,
    inFlight: asking.inFlight,
    async answer() {
      const described = await describe(await run());
      const expected = asking.cookies === 'none' ? 'null' : claims.email;
      if (!described.body.includes(expected)) throw new Error(`no session: ${JSON.stringify(described)}`);
      return described;
    },
  };
}

async function familyWork(name: FamilyName, asking: Asking): Promise<Work> {
  const { auth } = await family(name);
  const list = secrets(asking.secrets);
  const config = {
    providers: await providersOf(name, asking.providers ?? 1),
    secret: list.length === 1 ? secret : list,
    trustHost: true,
    basePath,
    logger,
    ...(asking.records && { session: { records: { store } } }),
  };
  const { fresh = false } = asking;
  return workOf((request) => auth(request, fresh ? { ...config } : config), asking);
}

export const workshop: Workshop = {
  latchkey: (asking: Asking) => familyWork('latchkey', asking),
  authjs: (asking: Asking) => familyWork('authjs', asking),
  'better-auth': readSession,
  limit: (asking: Asking) => {
    const list = secrets(asking.secrets);
    if (asking.portable) return workOf((request) => portableSession(request, secret), asking);
    return workOf((request) => session(request, list), asking);
  },
};
