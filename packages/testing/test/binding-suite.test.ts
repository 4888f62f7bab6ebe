import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingCases, bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, expect, it } from 'vitest';
import { bindingFaults } from './binding-faults.ts';
import { failuresOf } from './failures.ts';
import { startReference } from './reference-application.ts';

bindingSuite({ name: 'the reference binding', start: (setup) => startReference(setup) }, { describe, it, afterAll });

describe('a binding that', () => {
  it.each(bindingFaults)('%s', async (_fault, faults, titles) => {
    const subject = { name: 'broken', start: (setup: BindingSetup) => startReference(setup, faults) };
    expect((await failuresOf(subject, titles)).sort()).toEqual([...titles].sort());
  });
});

describe('bindingSuite', () => {
  const titles = Object.values(bindingCases).flatMap((cases) => cases.map(({ title }) => title));

  it('has no case that all broken bindings pass', () => {
    // Those of the client have a test of their own, in Chromium.
    const ofClient = bindingCases['Client']?.map(({ title }) => title);
    const noticed = new Set(bindingFaults.flatMap(([, , cases]) => cases));
    expect(titles.filter((title) => !noticed.has(title))).toEqual(ofClient);
  });

  it('has each title once', () => {
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('skips the cases of parts that the framework lacks, and names the parts', () => {
    const skipped: string[] = [];
    const registered: string[] = [];
    const register = (title: string) => registered.push(title);
    bindingSuite(
      { name: 'small', start: () => expect.unreachable(), features: { serverCalls: false, lateReads: false } },
      {
        describe: (_title, body) => body(),
        it: Object.assign(register, { skip: (title: string) => skipped.push(title) }),
        afterAll: () => undefined,
      },
    );
    expect(skipped).toContain(
      'a call after the head was sent rejects with `CookiesNotWritable`, before it has any effect (without serverCalls, lateReads)',
    );
    expect(registered).not.toContain('`redirectTo` does not lead to another site');
    expect(registered.length + skipped.length).toBe(titles.length);
  });

  it('skips the cases of the client without a browser', () => {
    const skipped: string[] = [];
    bindingSuite(
      { name: 'small', start: () => expect.unreachable() },
      {
        describe: (_title, body) => body(),
        it: Object.assign(() => undefined, { skip: (title: string) => skipped.push(title) }),
        afterAll: () => undefined,
      },
    );
    expect(skipped).toEqual(bindingCases['Client']?.map(({ title }) => `${title} (without a browser)`));
  });
});
