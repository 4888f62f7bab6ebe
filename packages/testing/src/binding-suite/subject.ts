import type { Awaitable } from '@latchkey/core/types';
import type { BindingSetup } from '../binding-application.ts';

/** The test runner. `vitest` fits, and `node:test`, whose `afterAll` has the name `after`. */
export interface BindingRunner {
  /** Groups cases. */
  describe(title: string, body: () => void): unknown;
  /** Registers a case. */
  it: {
    (title: string, body: () => Promise<void>): unknown;
    /** Registers a case that the framework cannot pass. Default: such cases are left out. */
    skip?(title: string, body: () => Promise<void>): unknown;
  };
  /** Registers the work after the last case. */
  afterAll(body: () => Promise<void>): unknown;
}

/** A test application that listens. */
export interface RunningApplication {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Stops the server. */
  stop(): Awaitable<void>;
}

/** A browser for the cases of the client. That of Playwright fits. */
export interface BindingBrowser {
  /** Opens a profile without cookies. */
  newContext(): Promise<BindingProfile>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** A profile, whose tabs share their cookies. */
export interface BindingProfile {
  /** Opens a tab. */
  newPage(): Promise<BindingPage>;
  /** Closes all tabs. */
  close(): Promise<void>;
}

/** A tab. */
export interface BindingPage {
  /** Opens an address, and waits until the page is loaded. */
  goto(url: string): Promise<unknown>;
  /** Runs JavaScript in the page, and returns its value. Waits for promises. */
  evaluate(script: string): Promise<unknown>;
  /** Returns the address of the page. */
  url(): string;
}

/** Features that a framework may lack, and what a framework with them can do. */
export const bindingFeatures = {
  client: 'has a browser side, which follows the revision cookie',
  clientRouter: 'shows a changed session without loading the page again',
  basePath: 'mounts the actions at a path that is chosen at the start',
  base: 'serves the whole application below a path of its own',
  secondMount: 'mounts one configuration twice',
  absoluteTarget: 'answers a request line with an absolute address',
  serverCalls: 'has `signIn`, `signOut` and `update` on the server',
  lateReads: 'can read the session after the head was sent',
  streams: 'can send the first bytes of an answer before the others',
  cacheHeaders: 'lets the application set cache headers',
  errorHandler: 'has error handlers of the application',
  trustProxy: 'has a setting that trusts proxies, or leaves forwarded headers to `trustHost`',
  firstForwarded: 'takes the first element of lists in forwarded headers',
  forwardedSyntax: 'reads each host in forwarded headers as RFC 3986 says, and refuses invalid ones',
  ignoresProxy: 'ignores forwarded headers unless a setting trusts them',
  clientAddress: "knows the visitor's address behind a trusted proxy",
  parseBodies: 'has parsers of bodies that run before the binding',
  csrfTokens: 'leaves the protection of forms to CSRF tokens, not to the origin',
  middleware: 'has middleware that sets headers before the binding answers',
  guardsAnyMethod: 'guards routes for all methods',
  renews: 'renews the session wherever `auth()` is called, and marks the answer as private',
  readsOnce: 'remembers the session for the rest of the request',
  strictReads: '`auth()` rejects if the configuration has a problem or the host is not trusted',
  pathTargets: 'has guards that name addresses without an origin',
  lateCalls: 'notices that cookies cannot be set after the head was sent',
  refusesHosts: 'refuses forwarded hosts that are not valid, in the place of using `Host`',
  malformedPaths: 'passes malformed paths to the binding, or refuses them',
} as const;

/** A feature that a framework may lack. */
export type BindingFeature = keyof typeof bindingFeatures;

/** A case of the suite, as lists show it. */
export interface BindingRule {
  /** States the rule. */
  readonly title: string;
  /** The features without which the case is skipped. */
  readonly needs: readonly BindingFeature[];
}

/** The binding under test. */
export interface BindingSubject {
  /** Such as `Express 5`. */
  readonly name: string;
  /** Starts the test application on a free port of 127.0.0.1. Called once for each setup that the cases need. */
  start(setup: BindingSetup): Promise<RunningApplication>;
  /** Path of the actions without `basePath`. Default: `/auth`. */
  readonly basePath?: string | undefined;
  /**
   * Starts the browser for the cases of the client, such as `() => chromium.launch()` of Playwright. Default: these
   * cases are skipped.
   */
  readonly launchBrowser?: (() => Promise<BindingBrowser>) | undefined;
  /** `false` for each part that the framework lacks; the cases that need it are skipped. Default: it has all parts. */
  readonly features?: Partial<Readonly<Record<BindingFeature, boolean>>> | undefined;
}
