import { describe, expect, it } from 'vitest';
import { loadedWith } from '../arrows/loaded.ts';

const ofOffers = (file: string): string[] => loadedWith(file).filter((name) => /offer|add-account/.test(name));

describe('guided linking', () => {
  it.each([
    ...['index.ts', 'auth.ts', 'binding.ts', 'actions/session.ts', 'actions/pages.ts', 'actions/sign-in.ts'],
    'actions/oauth.ts',
  ])('is not loaded with %s', (file) => expect(ofOffers(file)).toEqual([]));

  it('is loaded with its actions', () => {
    expect(ofOffers('actions/offer.ts').length).toBeGreaterThan(4);
    expect(ofOffers('actions/add-account.ts')).toEqual(['actions/add-account.ts', 'views/add-account.ts']);
  });
});
