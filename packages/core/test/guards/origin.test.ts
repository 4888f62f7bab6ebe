import { describe, expect, it } from 'vitest';
import { placeOf } from '../../src/guards/origin.ts';

/** As many places as are remembered. */
const KEPT = 64;
/** The longest address that is. */
const LONGEST = 256;

const of = (path: string): string => `https://remembered.example/${path}`;
const urlOf = (address: string): URL => placeOf(address, undefined).url;

function isRemembered(address: string): boolean {
  const url = urlOf(address);
  return urlOf(address) === url;
}

describe('the place of a request', () => {
  it.each([
    ['https://app.example/a?b=c', undefined, 'https://app.example/a?b=c', 'https://app.example'],
    ['http://inner:8080/a?b=c', 'https://app.example', 'https://app.example/a?b=c', 'https://app.example'],
    [
      'http://inner:8080//evil.example/a',
      'https://app.example',
      'https://app.example//evil.example/a',
      'https://app.example',
    ],
    ['https://app.example/a', 'https://app.example', 'https://app.example/a', 'https://app.example'],
  ])('of %s behind %s is %s', (address, trusted, url, origin) => {
    const place = placeOf(address, trusted);
    expect([place.url.href, place.origin]).toEqual([url, origin]);
  });

  it('is parsed once, also where the trusted origin is the one that was asked', () => {
    expect(isRemembered(of('once'))).toBe(true);
    expect(placeOf(of('once'), 'https://remembered.example')).toBe(placeOf(of('once'), undefined));
  });

  it('is not remembered with a query or a long address: visitors could think of any number', () => {
    const atMost = of('x'.repeat(LONGEST - of('').length));
    expect(atMost).toHaveLength(LONGEST);
    expect(isRemembered(atMost)).toBe(true);
    expect(isRemembered(`${atMost}x`)).toBe(false);
    expect(isRemembered(of('?code=x'))).toBe(false);
  });

  it('is remembered of so many addresses; with one more, all are forgotten', () => {
    const [marker = '', ...others] = Array.from({ length: KEPT + 2 }, (_, index) => of(`marker/${index}`));
    const url = urlOf(marker);
    const isForgotten = others.some((address) => {
      urlOf(address);
      return urlOf(marker) !== url;
    });
    expect(isForgotten).toBe(true);
    // Now two are remembered: the marker again, and the one before it.
    const more = Array.from({ length: KEPT - 2 }, (_, index) => of(`more/${index}`));
    const remembered = [marker, ...more].map((address) => [address, urlOf(address)] as const);
    for (const [address, known] of remembered) expect(urlOf(address)).toBe(known);
    urlOf(of('one more'));
    expect(urlOf(marker)).not.toBe(remembered[0]?.[1]);
  });
});
