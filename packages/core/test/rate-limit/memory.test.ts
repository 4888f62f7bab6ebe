import { describe, expect, it } from 'vitest';
import { limits } from '../../src/config/defaults.ts';
import { MemoryCounters } from '../../src/rate-limit/memory.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const rule = (seconds: number, limit = 3) => ({ limit, window: 60, now: new Date(start + seconds * 1000) });

describe('counters in memory', () => {
  it('count up to the limit, and tell from when there is a place again', () => {
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

  it('tell when a lower limit than before has a place again', () => {
    const counters = new MemoryCounters();
    for (const second of [0, 10, 20]) counters.take('a', rule(second));
    expect(counters.take('a', rule(30, 1))).toEqual(new Date(start + 80_000));
  });

  it('take back exactly one time, and none that was not counted', () => {
    const counters = new MemoryCounters();
    for (const second of [0, 0, 10]) counters.take('a', rule(second));
    counters.giveBack('a', new Date(start + 5000));
    counters.giveBack('b', new Date(start));
    expect(counters.take('a', rule(10))).not.toBeNull();
    counters.giveBack('a', new Date(start));
    expect(counters.take('a', rule(10))).toBeNull();
    expect(counters.take('a', rule(10))).toEqual(new Date(start + 60_000));
  });

  it('are forgotten when nothing is left of them', () => {
    const counters = new MemoryCounters();
    counters.take('a', rule(0));
    counters.giveBack('a', new Date(start));
    expect(counters.size).toBe(0);
  });

  it('count right when an earlier instant comes later', () => {
    const counters = new MemoryCounters();
    for (const second of [20, 0, 10]) counters.take('a', rule(second));
    expect(counters.take('a', rule(20))).toEqual(new Date(start + 60_000));
  });

  it('are never more than the bound', () => {
    const counters = new MemoryCounters();
    for (let index = 0; index < limits.rateCounters + 500; index++) counters.take(`${index}`, rule(0));
    expect(counters.size).toBe(limits.rateCounters);
  });

  it('make room by what has expired first', () => {
    const counters = new MemoryCounters(4);
    for (const name of ['a', 'a', 'b', 'b', 'c']) counters.take(name, rule(0));
    counters.take('d', rule(30));
    counters.take('e', rule(70));
    expect(counters.size).toBe(2);
  });

  it('cannot be pushed out by a flood of names once they have counted twice', () => {
    const counters = new MemoryCounters(100);
    for (let time = 0; time < 3; time++) counters.take('victim', rule(0));
    for (let index = 0; index < 10_000; index++) counters.take(`${index}`, rule(index / 1000));
    expect(counters.take('victim', rule(10))).toEqual(new Date(start + 60_000));
  });

  it('that have counted once go only when all other places have been filled after them', () => {
    const counters = new MemoryCounters(100);
    counters.take('victim', rule(0, 1));
    for (let index = 0; index < 99; index++) counters.take(`${index}`, rule(1));
    expect(counters.take('victim', rule(2, 1))).not.toBeNull();
    counters.take('one more', rule(2));
    expect(counters.take('victim', rule(2, 1))).toBeNull();
  });

  it('make room for new ones also where all have counted much', () => {
    const counters = new MemoryCounters(2);
    for (const name of ['a', 'a', 'a', 'b', 'b']) counters.take(name, rule(0));
    counters.take('c', rule(1));
    expect(counters.take('a', rule(2))).not.toBeNull();
    expect(counters.size).toBe(2);
  });
});
