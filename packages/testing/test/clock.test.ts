import { describe, expect, it } from 'vitest';
import { Clock } from '../src/clock.ts';

describe('Clock', () => {
  it('only moves when a test moves it', () => {
    const { now, ...nothing } = new Clock('2026-03-01T12:00:00Z');
    expect(nothing).toEqual({});
    expect(now()).toEqual(now());
    expect(now()).toEqual(new Date('2026-03-01T12:00:00Z'));
  });

  it('moves by seconds, and to an instant', () => {
    const clock = new Clock();
    expect(clock.now()).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(clock.advance(1.5)).toEqual(new Date('2026-01-01T00:00:01.500Z'));
    expect(clock.advance(-1.5)).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(clock.set(new Date(0))).toEqual(clock.now());
    expect(() => clock.set('nonsense')).toThrow(TypeError);
  });

  it('returns dates that do not change the clock', () => {
    const clock = new Clock();
    clock.now().setFullYear(1999);
    expect(clock.now().getUTCFullYear()).toBe(2026);
  });
});
