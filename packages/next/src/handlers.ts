import { Auth } from '@latchkey/core';
import type { NextRequest } from 'next/server.js';
import { type ConfigSource, configuredFor } from './config.ts';
import { actionPath, originOf } from './place.ts';

/** Answers requests to our actions. */
export type AuthHandler = (request: NextRequest) => Promise<Response>;

/** The handlers for `app/api/auth/[...nextauth]/route.ts`. */
export function handlersOf(source: ConfigSource): { GET: AuthHandler; POST: AuthHandler } {
  const answer: AuthHandler = async (request) => {
    const configured = await configuredFor(source, request);
    const { config, call, basePath, application } = configured;
    const asked = new URL(request.url);
    // Next makes up the host of its requests' addresses; the headers know the visitor's.
    const origin = originOf(configured, request.headers, asked.protocol) || asked.origin;
    const path = actionPath(asked.pathname, basePath);
    const moved = path === asked.pathname ? request : new Request(origin + path + asked.search, request);
    return homeward(await Auth(moved, config, { ...call, origin, basePath, revision: true }), origin, application);
  };
  return { GET: answer, POST: answer };
}

/** Whoever has asked for no page goes to the application's first one, which need not be that of the site. */
function homeward(response: Response, origin: string, application: string): Response {
  if (application === '' || response.headers.get('location') !== origin) return response;
  response.headers.set('location', origin + application);
  return response;
}
