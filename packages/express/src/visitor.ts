import { type Host, headersFromNode, nodeHost } from '@latchkey/core/binding';
import { type ExpressVisit, originOf } from './express.ts';
import { forgetSession } from './session.ts';

/** Returns a request for calls that change the session or the account. Their cookies are set on the response. */
export function hostOf(request: ExpressVisit): Host {
  const host = nodeHost(originOf(request), headersFromNode(request.headers), request.res);
  const { setCookie } = host;
  if (!setCookie) return host;
  return {
    ...host,
    setCookie(cookie) {
      forgetSession(request);
      setCookie(cookie);
    },
  };
}
