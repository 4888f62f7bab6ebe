import { bodies } from './binding-suite/bodies.ts';
import type { BindingCase } from './binding-suite/case.ts';
import { client } from './binding-suite/client.ts';
import { cookies } from './binding-suite/cookies.ts';
import { csrf } from './binding-suite/csrf.ts';
import { errors } from './binding-suite/errors.ts';
import { guards } from './binding-suite/guards.ts';
import { mount } from './binding-suite/mount.ts';
import { proxies } from './binding-suite/proxies.ts';
import { redirects } from './binding-suite/redirects.ts';
import { renewal } from './binding-suite/renewal.ts';
import { Scene } from './binding-suite/scene.ts';
import { serverCalls } from './binding-suite/server-calls.ts';
import { sessionRead } from './binding-suite/session-read.ts';
import { streaming } from './binding-suite/streaming.ts';
import type { BindingRule, BindingRunner, BindingSubject } from './binding-suite/subject.ts';

export {
  type BindingBrowser,
  type BindingFeature,
  type BindingPage,
  type BindingProfile,
  type BindingRule,
  type BindingRunner,
  type BindingSubject,
  bindingFeatures,
  type RunningApplication,
} from './binding-suite/subject.ts';

const groups: Readonly<Record<string, readonly BindingCase[]>> = {
  Mount: mount,
  'Session read': sessionRead,
  'Renewal, late responses': renewal,
  Guards: guards,
  'Open redirects': redirects,
  'CSRF and origin': csrf,
  'Server-side calls': serverCalls,
  Cookies: cookies,
  Proxies: proxies,
  'Bodies, methods': bodies,
  Streaming: streaming,
  'Errors, isolation': errors,
  Client: client,
};

/** The cases that every binding has to pass, by group. */
export const bindingCases: Readonly<Record<string, readonly BindingRule[]>> = groups;

/**
 * Registers the cases that a binding to a framework has to pass. They talk HTTP with the test application, which
 * `start` serves. Its routes are in docs/frameworks/contract.md. The cases of the client open its page `/client` in a
 * browser.
 *
 * ```ts
 * import { afterAll, describe, it } from 'vitest';
 * bindingSuite({ name: 'Express 5', start, features: { serverCalls: false } }, { describe, it, afterAll });
 * ```
 *
 * @param runner If `it.skip` is present, the cases that the framework cannot pass are listed with the missing parts.
 */
export function bindingSuite(subject: BindingSubject, runner: BindingRunner): void {
  const { describe, it, afterAll } = runner;
  const scene = new Scene(subject);
  describe(subject.name, () => {
    for (const [group, cases] of Object.entries(groups))
      describe(group, () => {
        for (const { title, needs, run } of cases) {
          const missing = [...missingOf(subject, needs), ...(cases === client ? missingBrowser(subject) : [])];
          if (missing.length === 0) it(title, () => run(scene));
          else it.skip?.(`${title} (without ${missing.join(', ')})`, async () => undefined);
        }
      });
    afterAll(() => scene.stop());
  });
}

function missingOf({ features }: BindingSubject, needs: BindingRule['needs']): string[] {
  return needs.filter((feature) => features?.[feature] === false);
}

const missingBrowser = ({ launchBrowser }: BindingSubject): string[] => (launchBrowser ? [] : ['a browser']);
