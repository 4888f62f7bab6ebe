import { describe, expect, it } from 'vitest';
import { readAgent, readAsked, writeAsked } from '../../src/entry/agent.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the names of browser and system', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
      'Edge',
      'Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'Opera', 'Linux'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [
      `Mozilla/5.0 (Linux; Android 15; SM-S928B) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iOS',
    ],
    ['Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) FxiOS/145.0 Mobile/15E148 Safari/605.1.15', 'Firefox', 'iPadOS'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
    ['Your account is locked, call 555-0100', undefined, undefined],
    [`${'x'.repeat(512)} Firefox/145.0`, undefined, undefined],
    [undefined, undefined, undefined],
  ])('of %j are %s and %s', (header, browser, system) => {
    const agent = readAgent(header);
    expect(agent).toEqual({ browser, system });
    const at = new Date('2026-11-23T21:05:59Z');
    expect(readAsked(writeAsked({ at, ...agent }))).toEqual({ at, browser, system });
  });
});
