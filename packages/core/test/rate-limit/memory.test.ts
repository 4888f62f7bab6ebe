import { describe, expect, it } from 'vitest';
import { limits } from '../../src/config/defaults.ts';
import { MemoryCounters } from '../../src/rate-limit/memory.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const rule = (seconds: number, limit = 3) => ({ limit, window: 60, now: new Date(start + seconds * 1000) });

describe('counters in memory', () => {
  it('count up to the limit, and return when the next attempt is allowed', () => {
    const counters = new MemoryCounters();
    expect([counters.take('a', rule(0)), counters.take('a', rule(10)), counters.take('a', rule(20))]).toEqual([
      null,
      null,
      null,
    ]);
    expect(counters.take('a', rule(59.999))).toEqual(new Date(start + 60_000));
    expect(counters.take('a', rule(60))).toBeNull();
    expect(counters.take('a', rule(60))).toEqual(new Date(start + 70_000));
  });

  it('return when the next attempt is allowed under a lower limit than before', () => {
    const counters = new MemoryCounters();
    for (const second of [0, 10, 20]) counters.take('a', rule(second));
    expect(counters.take('a', rule(30, 1))).toEqual(new Date(start + 80_000));
  });

  it('uncount exactly one attempt, and none that was not counted', () => {
    const counters = new MemoryCounters();
    for (const second of [0, 0, 10]) counters.take('a', rule(second));
    counters.release('a', new Date(start + 5000));
    counters.release('b', new Date(start));
    expect(counters.take('a', rule(10))).not.toBeNull();
    counters.release('a', new Date(start));
    expect(counters.take('a', rule(10))).toBeNull();
    expect(counters.take('a', rule(10))).toEqual(new Date(start + 60_000));
  });

  it('are dropped when they have no attempts left', () => {
    const counters = new MemoryCounters();
    counters.take('a', rule(0));
    counters.release('a', new Date(start));
    expect(counters.size).toBe(0);
  });

  it('count right when an earlier instant comes later', () => {
    const counters = new MemoryCounters();
    for (const second of [20, 0, 10]) counters.take('a', rule(second));
    expect(counters.take('a', rule(20))).toEqual(new Date(start + 60_000));
  });

  it('never exceed their number', () => {
    const counters = new MemoryCounters();
    for (let index = 0; index < limits.rateCounters + 500; index++) counters.take(`${index}`, rule(0));
    expect(counters.size).toBe(limits.rateCounters);
  });

  it('drop expired counters first', () => {
    const counters = new MemoryCounters(4);
    for (const name of ['a', 'a', 'b', 'b', 'c']) counters.take(name, rule(0));
    counters.take('d', rule(30));
    counters.take('e', rule(70));
    expect(counters.size).toBe(2);
  });

  it.each([
    [9999, 4],
    [10_000, 3],
  ])('are searched for expired ones again after %i ms: %i are left', (milliseconds, left) => {
    const counters = new MemoryCounters(4);
    const take = (counter: string, at: number, window: number): Date | null =>
      counters.take(counter, { limit: 1, window, now: new Date(at) });
    for (const counter of ['a', 'b']) take(counter, 0, 900);
    for (const counter of ['c', 'd']) take(counter, 0, 1);
    // The counters are full, and the first search finds no expired one: `a` makes room.
    take('e', 0, 900);
    // Now `c` and `d` have expired. Without a search, `b` makes room.
    take('f', milliseconds, 900);
    expect(counters.size).toBe(left);
    for (const counter of ['a', 'b', 'e', 'f']) expect(take(counter, milliseconds, 900)).not.toBeNull();
  });

  it.each([1, 2, 3])('are not forgotten in a flood of names: one with %i attempts', (attempts) => {
    const counters = new MemoryCounters(100);
    for (let time = 0; time < attempts; time++) counters.take('victim', rule(0, attempts));
    for (let index = 0; index < 10_000; index++) counters.take(`${index}`, rule(index / 1000));
    expect(counters.size).toBe(100);
    expect(counters.take('victim', rule(59, attempts))).not.toBeNull();
  });

  it('count a new name also if other names, each tried again and again, have taken all places', () => {
    const counters = new MemoryCounters(100);
    for (let time = 0; time < 2; time++)
      for (let index = 0; index < 100; index++) counters.take(`repeated ${index}`, rule(time));
    const allowed: boolean[] = [];
    for (let guess = 0; guess < 50; guess++) {
      allowed.push(counters.take('victim', rule(2)) === null);
      counters.take(`filler ${guess}`, rule(2));
    }
    expect(allowed.filter(Boolean)).toHaveLength(3);
  });

  it('count the attempts that made room for their window at least, and for twice the longest window at most', () => {
    const counters = new MemoryCounters(1);
    counters.take('victim', rule(0, 1));
    counters.take('other', rule(1));
    expect(counters.take('victim', rule(59.999, 1))).not.toBeNull();
    const refused = counters.take('victim', rule(60, 1));
    expect(refused === null || refused.getTime() > start + 60_000).toBe(true);
    expect(counters.take('victim', rule(122, 1))).toBeNull();
  });

  it('count too much and never too little if they share a cell', () => {
    const counters = new MemoryCounters(1, 1);
    for (const name of ['a', 'b', 'c', 'd']) counters.take(name, rule(0));
    expect(counters.take('e', rule(0))).not.toBeNull();
    counters.release('a', new Date(start));
    expect(counters.take('a', rule(0))).not.toBeNull();
    counters.clear();
    expect(counters.take('a', rule(0))).toBeNull();
  });

  it('make room for new ones even if all have many attempts', () => {
    const counters = new MemoryCounters(2);
    for (const name of ['a', 'a', 'a', 'b', 'b']) counters.take(name, rule(0));
    counters.take('c', rule(1));
    expect(counters.take('a', rule(2))).not.toBeNull();
    expect(counters.size).toBe(2);
  });
});
