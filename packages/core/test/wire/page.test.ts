import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pageReply } from '../../src/wire/page.ts';
import { onEachEngine } from '../crypto/engines.ts';

const source = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const policyOf = async (page: Partial<Parameters<typeof pageReply>[0]>): Promise<string | undefined> =>
  (await pageReply({ html: '', styles: [], ...page })).headers?.['content-security-policy'];

describe('pageReply', () => {
  onEachEngine((kind) => {
    it('sends a page that may do nothing but show itself', async () => {
      const styles = [`body{color:red}/* ${kind} ä */`, 'p{}'];
      const html = `<style>${styles[0]}</style>`;
      expect(await pageReply({ html, styles, status: 403 })).toEqual({
        status: 403,
        cookies: undefined,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none'; style-src ${styles.map(source).join(' ')}; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'`,
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'same-origin',
          'cache-control': 'private, no-store',
        },
        body: html,
      });
    });

    it('contains the hash of each style, also of repeated ones', async () => {
      const styles = Array.from({ length: 300 }, (_, n) => `p{margin:${n}px} /* ${kind} */`);
      for (const style of [...styles, ...styles]) expect(await policyOf({ styles: [style] })).toContain(source(style));
    });
  });

  it('allows images of the given origins only', async () => {
    const imageSources = [
      'https://cdn.example/logo.svg?x=1',
      'https://cdn.example/other.svg',
      'http://localhost:8080/a.png',
      '/local.png',
      'data:image/png;base64,AA',
      'javascript:alert(1)',
      "https://evil.example;script-src 'unsafe-inline'",
      'not an address',
      '',
    ];
    const policy = await policyOf({ imageSources });
    expect(policy).toContain("; img-src 'self' data: https://cdn.example http://localhost:8080; ");
    expect(policy).not.toContain('unsafe');
  });

  it('allows the scripts of one folder if the page has one, and no markup from them', async () => {
    const scripts = ['page.js?v=1', 'passkey.js?v=2'].map((name) => `https://app.example:8443/a;b,c/asset/${name}`);
    const rest = "img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";
    const script = "script-src https://app.example:8443/a%3Bb%2Cc/asset/; require-trusted-types-for 'script'";
    expect(await policyOf({ scripts })).toBe(`default-src 'none'; ${script}; ${rest}`);
    expect(await policyOf({ scripts, connects: true })).toBe(
      `default-src 'none'; ${script}; connect-src 'self'; ${rest}`,
    );
  });

  it('allows fonts of this origin if the page loads one', async () => {
    expect(await policyOf({ font: true })).toContain("; font-src 'self'; ");
    expect(await policyOf({})).not.toContain('font-src');
  });

  it('accepts cookies and another referrer policy', async () => {
    const cookies = [{ name: 'a', value: 'b', options: {} }];
    const reply = await pageReply({ html: '', styles: [], cookies, referrerPolicy: 'no-referrer' });
    expect(reply.cookies).toBe(cookies);
    expect(reply.headers?.['referrer-policy']).toBe('no-referrer');
  });
});
