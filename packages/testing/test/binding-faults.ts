import { callFaults, cookieFaults, proxyFaults } from './binding-faults/answers.ts';
import type { Fault } from './binding-faults/fault.ts';
import { formFaults, guardFaults } from './binding-faults/guards.ts';
import { bodyFaults, errorFaults, streamFaults } from './binding-faults/requests.ts';
import { mountFaults, renewalFaults, sessionFaults } from './binding-faults/sessions.ts';

/** Broken bindings. Each case of the suite notices at least one of them. */
export const bindingFaults: readonly Fault[] = [
  ...mountFaults,
  ...sessionFaults,
  ...renewalFaults,
  ...guardFaults,
  ...formFaults,
  ...callFaults,
  ...cookieFaults,
  ...proxyFaults,
  ...bodyFaults,
  ...streamFaults,
  ...errorFaults,
];
