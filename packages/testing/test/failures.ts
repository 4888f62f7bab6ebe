import { type BindingSubject, bindingSuite } from '@latchkey/testing/binding-suite';
import { expect } from 'vitest';

/** Runs the named cases of the suite. Returns the titles of those that fail. */
export async function failuresOf(subject: BindingSubject, titles: readonly string[]): Promise<string[]> {
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
  bindingSuite(subject, {
    describe: (_title, body) => body(),
    it: (title: string, body: () => Promise<void>) => titles.includes(title) && cases.push(() => run(title, body)),
    afterAll: (body) => {
      close = body;
    },
  });
  for (const each of cases) await each();
  await close();
  return failed;
}
