import { describe, expect, it } from 'vitest';
import { requestUrl } from '../../src/guards/origin.ts';

describe('the URL of a request', () => {
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
  ])('%s, with the trusted origin %s, is %s', (address, trusted, url, origin) => {
    const place = requestUrl(address, trusted);
    expect([place.url.href, place.origin]).toEqual([url, origin]);
  });
});
