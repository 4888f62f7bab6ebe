import { describe, expect, it } from 'vitest';
import { loadedWith } from '../arrows/loaded.ts';

const limitsIn = (file: string): string[] => loadedWith(file).filter((name) => /^rate-limit/.test(name));

describe('nothing of the limits is loaded', () => {
  it.each(['index.ts', 'auth.ts', 'binding.ts', 'jwt.ts', 'actions/session.ts', 'actions/pages.ts', 'types.ts'])(
    'with %s',
    (file) => expect(limitsIn(file)).toEqual([]),
  );

  it.each(['actions/sign-in.ts', 'actions/email.ts'])('with %s, before it counts', (file) =>
    expect(limitsIn(file)).toEqual([]),
  );

  it('is loaded with the file that counts', () => {
    expect(limitsIn('rate-limit/reserve.ts').length).toBeGreaterThan(3);
  });
});
