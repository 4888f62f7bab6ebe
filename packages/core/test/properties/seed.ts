import fc from 'fast-check';

/**
 * Property tests try the same cases every time, so that a failure comes from the change. `FUZZ_SEED=random` (or
 * a number) tries others: a case that fails then becomes a test.
 */
const wish = process.env['FUZZ_SEED'];
fc.configureGlobal({ seed: wish === 'random' ? Date.now() : Number(wish ?? 20261121) });
