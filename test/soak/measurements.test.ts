import { describe, expect, it } from 'vitest';
import { judgeMemory } from './memory.ts';
import { readOptions } from './options.ts';
import { randomOf } from './random.ts';
import { rotationSteps } from './rotation.ts';
import { summarize } from './summary.ts';
import { percentile, Tally } from './tally.ts';
import { isExcused, Registry, Trouble } from './visitor/judge.ts';
import { GRACE, Windows } from './windows.ts';

/** Tests each check of the soak on its own, because a check that misses a fault hides it. */

describe('a window', () => {
  it('excuses from just before the part goes down until a little after it is back, and nothing else', () => {
    let now = 0;
    const windows = new Windows(() => now);
    now = 100;
    const close = windows.open('redis');
    expect(windows.isDown('redis')).toBe(true);
    now = 200;
    close();
    expect(windows.isDown('redis')).toBe(false);
    expect(windows.met(['redis'], 200 + GRACE)).toEqual(['redis']);
    expect(windows.met(['redis'], 201 + GRACE)).toEqual([]);
    expect(windows.met(['postgres'], 0)).toEqual([]);
  });

  it('that was closed twice ends with the first', () => {
    let now = 0;
    const windows = new Windows(() => now);
    const close = windows.open('provider');
    close();
    now = 10_000;
    close();
    expect(windows.met(['provider'], GRACE + 1)).toEqual([]);
  });
});

describe('trouble', () => {
  it.each([
    ['Configuration', ['postgres'], true],
    ['503', ['redis'], true],
    ['Configuration', [], false],
    ['InvalidCheck', ['postgres'], false],
    ['MissingCSRF', ['postgres'], false],
    ['OAuthAccountNotLinked', ['postgres', 'provider'], false],
    ['400', ['redis'], false],
    ['provider does not answer', ['provider'], true],
    ['provider does not answer', ['postgres'], false],
    ['OAuthCallbackError', ['keys'], true],
    ['Configuration', ['keys'], false],
  ] as const)('%s while %j was down: excused is %j', (code, met, excused) => {
    expect(isExcused(new Trouble('work', code), met)).toBe(excused);
  });
});

describe('memory', () => {
  const mb = 1024 * 1024;
  const life = (grown: (index: number) => number) =>
    Array.from({ length: 30 }, (_, index) => ({ heap: 40 * mb + grown(index), rss: 150 * mb + grown(index) }));

  it('is flat when it only warms up', () => {
    expect(
      judgeMemory(
        life((index) => Math.min(index, 10) * mb),
        true,
      ).isFlat,
    ).toBe(true);
  });

  it('is not when it grows to the end, be it by little', () => {
    expect(
      judgeMemory(
        life((index) => index * 0.2 * mb),
        true,
      ).isFlat,
    ).toBe(false);
    expect(
      judgeMemory(
        life((index) => index * mb),
        false,
      ).isFlat,
    ).toBe(false);
  });

  it('of a few samples is unknown, and so not flat', () => {
    expect(judgeMemory(life(() => 0).slice(0, 4), false).isFlat).toBe(false);
  });
});

describe('the summary', () => {
  const run = (tally: Tally) =>
    summarize({ tally, minutes: 1, seed: 7, visitors: 18, samples: Array(9).fill({ heap: 1, rss: 1 }), lines: [] });
  const complete = (): Tally => {
    const tally = new Tally(() => 1500);
    for (const kind of ['a', 'b', 'postgres', 'redis', 'provider', 'provider-paused']) tally.count(`kills/${kind}`);
    for (const way of ['idp', 'credentials', 'mail']) tally.count(`acts/sign-in by ${way}`);
    for (const what of ['sessions told', 'rotations']) tally.count(what);
    for (const what of ['sign-out', 'end of all sessions', 'another session']) tally.count(`ended/${what}`);
    return tally;
  };

  it('is well when everything has happened and nothing has failed, and says how to repeat it', () => {
    const { text, isOk } = run(complete());
    expect(isOk).toBe(true);
    expect(text.split('\n').at(-1)).toBe('OK: npm run soak -- --minutes 1 --seed 7');
  });

  it.each(['errors outside windows', 'lost users', 'foreign sessions', 'broken promises'] as const)(
    'fails by one of %s, and tells it',
    (kind) => {
      const tally = complete();
      tally.fail(kind, 'visitor 3', 'look: something else came');
      const { text, isOk } = run(tally);
      expect(isOk).toBe(false);
      expect(text).toContain('1.5 s, visitor 3: look: something else came');
    },
  );

  it('fails when something has never happened', () => {
    expect(run(new Tally(() => 0)).isOk).toBe(false);
  });
});

describe('an identity', () => {
  it('has one user, and a user has one identity', () => {
    const registry = new Registry();
    const told = { id: '1', email: 'a@soak.test', name: null };
    registry.check(told);
    registry.check(told);
    expect(() => registry.check({ ...told, id: '2' })).toThrow('was user 1');
    expect(() => registry.check({ ...told, email: 'b@soak.test' })).toThrow('was a@soak.test');
  });
});

it('chance is the same for the same seed, and forks do not disturb each other', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, randomOf(seed).next);
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  const [first, second] = [randomOf(1), randomOf(1)];
  first.fork('a').next();
  expect(first.fork('b').next()).toBe(second.fork('b').next());
  expect(randomOf(3).shuffled([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4]);
});

it('in each step of a rotation, all processes read the tokens of the step before', () => {
  const steps = [['old'], ...rotationSteps('old', 'new')];
  for (const [index, secrets] of steps.entries()) {
    const before = steps[index - 1];
    if (!before) continue;
    expect(before).toContain(secrets[0]);
    if (secrets.length > 1) expect(secrets).toContain(before[0]);
  }
  expect(steps.at(-1)).toEqual(['new']);
});

it('the percentile is of the numbers in order', () => {
  expect([percentile([], 0.5), percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.99)]).toEqual([0, 2, 3]);
});

it('unknown options are refused', () => {
  expect(readOptions(['--minutes', '1', '--seed', '5'])).toEqual({ minutes: 1, seed: 5 });
  expect(readOptions([]).minutes).toBe(10);
  for (const args of [['--minutes', '0'], ['--seed', 'x'], ['--other']]) expect(() => readOptions(args)).toThrow();
});
