import { bindingCases, bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, expect, it } from 'vitest';
import { bindingFaults } from './binding-faults.ts';
import { type Faults, startReference } from './reference-application.ts';

bindingSuite({ name: 'the reference binding', start: (setup) => startReference(setup) }, { describe, it, afterAll });

/** Runs the named cases with a binding that has these faults. Returns the titles of those that fail. */
async function noticing(faults: Faults, titles: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  const cases: (() => Promise<void>)[] = [];
  let close: () => Promise<void> = async () => undefined;
  const run = async (title: string, body: () => Promise<void>): Promise<void> => {
    try {
      await body();
    } catch (error) {
      expect(error, `the failure of "${title}"`).toBeInstanceOf(Error);
      failed.push(title);
    }
  };
  bindingSuite(
    { name: 'broken', start: (setup) => startReference(setup, faults) },
    {
      describe: (_title, body) => body(),
      it: (title: string, body: () => Promise<void>) => titles.includes(title) && cases.push(() => run(title, body)),
      afterAll: (body) => {
        close = body;
      },
    },
  );
  for (const each of cases) await each();
  await close();
  return failed;
}

describe('a binding that', () => {
  it.each(bindingFaults)('%s', async (_fault, faults, titles) => {
    expect((await noticing(faults, titles)).sort()).toEqual([...titles].sort());
  });
});

describe('bindingSuite', () => {
  const titles = Object.values(bindingCases).flatMap((cases) => cases.map(({ title }) => title));

  it('has no case that all broken bindings pass', () => {
    const noticed = new Set(bindingFaults.flatMap(([, , cases]) => cases));
    expect(titles.filter((title) => !noticed.has(title))).toEqual([]);
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
});
