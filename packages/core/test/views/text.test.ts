import { describe, expect, it } from 'vitest';
import english from '../../src/messages/en.ts';
import { ago, counted, dayOf, fill, fromNow, isolated, phrase } from '../../src/views/text.ts';

const inLanguage = (code: string) => ({ ...english, code });
const plain = (text: string): string => text.replaceAll('\u00A0', ' ');

describe('a text with a count', () => {
  const text = { one: '{count} device', other: '{count} devices' };
  it.each([
    ['en', 1, '1 device'],
    ['en', 2, '2 devices'],
    ['en', 12_345, '12,345 devices'],
    ['de', 12_345, '12.345 devices'],
    // Polish has a form for few, which this text does not have.
    ['pl', 3, '3 devices'],
  ])('in %s, of %i is %s', (code, count, expected) => {
    expect(counted(inLanguage(code), text, count)).toBe(expected);
  });
});

describe('a day', () => {
  it.each([
    ['en', '1 Mar 2026'],
    ['de', '01.03.2026'],
  ])('in %s is that of UTC: %s', (code, expected) => {
    for (const time of ['00:00', '23:59']) {
      expect(dayOf(inLanguage(code), new Date(`2026-03-01T${time}:00Z`))).toBe(expected);
    }
  });
});

describe('a time', () => {
  it.each([
    [1, 'in 1 second'],
    [119.5, 'in 120 seconds'],
    [121, 'in 3 minutes'],
    [7200, 'in 2 hours'],
    [172_801, 'in 3 days'],
  ])('in %d seconds is never too early: %s', (seconds, expected) => {
    expect(plain(fromNow(english, seconds))).toBe(expected);
  });

  it.each([
    [-5, '0 seconds ago'],
    [179, '2 minutes ago'],
    [7199, '119 minutes ago'],
    [172_800, '2 days ago'],
  ])('%d seconds ago is rounded down: %s', (seconds, expected) => {
    expect(plain(ago(english, seconds))).toBe(expected);
  });
});

describe('a text with placeholders', () => {
  it('keeps those without a value, also if objects have a member of that name', () => {
    expect(fill('{a} {b} {toString} {a}', { a: 1 })).toBe('1 {b} {toString} 1');
    expect(String(phrase('<i> {a} {b} {toString}', { a: isolated('<x>') }))).toBe(
      '&lt;i&gt; <bdi>&lt;x&gt;</bdi> {b} {toString}',
    );
  });
});
