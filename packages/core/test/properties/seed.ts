import fc from 'fast-check';

/**
 * Property tests try the same cases every time, so that a change is checked by what it changes. `FUZZ_SEED=random` (or a
 * number) tries others: what fails then becomes a case of its own.
 */
const wish = process.env['FUZZ_SEED'];
fc.configureGlobal({ seed: wish === 'random' ? Date.now() : Number(wish ?? 20261121) });
