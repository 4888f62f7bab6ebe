import type { IncomingMessage } from 'node:http';
import { cookiesOn } from '@latchkey/core/binding';
import type { Session } from '@latchkey/core/types';
import type { Faults } from '../reference-application.ts';
import type { ReferenceVisit } from '../reference-binding.ts';

/** A broken binding, and the cases that notice it. */
export type Fault = readonly [title: string, faults: Faults, cases: readonly string[]];

export const clearing = 'authjs.session-token=; Path=/; Max-Age=0';
export const pathOf = (visit: ReferenceVisit): string => visit.path.replace(/\?.*/, '');

/** Answers the requests that a condition selects. */
export function answering(
  condition: (request: IncomingMessage, visit: ReferenceVisit) => boolean,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): Faults {
  return {
    intercept(request, response, visit) {
      if (!condition(request, visit)) return false;
      response.writeHead(status, headers).end(body);
      return true;
    },
  };
}

/** Replaces a function of each visit. */
export function replacing(
  change: (visit: ReferenceVisit, request: IncomingMessage) => Partial<ReferenceVisit>,
): Faults {
  return {
    intercept(request, _response, visit) {
      Object.assign(visit, change(visit, request));
      return false;
    },
  };
}

/** Changes the `Set-Cookie` lines of each answer. */
export function cookieLines(change: (lines: string[], request: IncomingMessage) => string[]): Faults {
  return {
    head(response, request) {
      const lines = change(cookiesOn(response), request);
      if (lines.length > 0) response.setHeader('set-cookie', lines);
      else response.removeHeader('set-cookie');
    },
  };
}

/** A session of no visitor. */
export const anySession = { user: { name: 'Ada' }, expires: new Date(0).toISOString() } as Session;
