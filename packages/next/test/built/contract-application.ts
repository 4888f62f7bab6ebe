import { fileURLToPath } from 'node:url';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import type { BindingSubject, RunningApplication } from '@latchkey/testing/binding-suite';
import { type Application, serve } from './next-application.ts';

/** The built package with the configuration of the test application. */
export const testingPackage: string = fileURLToPath(new URL('../../../testing/dist', import.meta.url));

/** Serves a built test application. */
export async function serveContract(application: Application, setup: BindingSetup): Promise<RunningApplication> {
  const served = await serve(application, { ...setup.env, BINDING_SETUP: JSON.stringify(setup) });
  // Next.js 15 changes the address 127.0.0.1 to this name.
  return { origin: `http://localhost:${served.port}`, stop: served.stop };
}

/** The features that Next.js lacks. */
export const contractFeatures: NonNullable<BindingSubject['features']> = {
  // Set while the application is built, by the place of the route handler and in next.config.ts.
  base: false,
  basePath: false,
  secondMount: false,
  absoluteTarget: false,
  // Next.js answers errors of route handlers itself.
  errorHandler: false,
  // `trustHost` decides about forwarded headers.
  ignoresProxy: false,
  parseBodies: false,
  // Headers of next.config.ts are set after the answer.
  middleware: false,
  // The option `trustedProxyHops` does.
  clientAddress: false,
  // `auth()` only reads; the proxy and `GET session` renew.
  renews: false,
  // `auth()` of a route handler reads anew.
  readsOnce: false,
  // `auth()` logs the problem and returns null.
  strictReads: false,
  // Redirects of the proxy need an origin. It is that of the host, as `trustHost` says.
  pathTargets: false,
  // Next.js drops late cookies without an error.
  lateCalls: false,
  refusesHosts: false,
  // Next.js answers 500 to some of them.
  malformedPaths: false,
};
