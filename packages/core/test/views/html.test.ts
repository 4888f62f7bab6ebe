import { describe, expect, it } from 'vitest';
import { hole, html, styleElement, template } from '../../src/views/html.ts';

describe('html', () => {
  it('escapes text and attribute values', () => {
    const text = `<b title="x">Tom & 'Jerry'</b>`;
    expect(String(html`<p title="${text}">${text}</p>`)).toBe(
      '<p title="&lt;b title=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;">' +
        '&lt;b title=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;</p>',
    );
  });

  it('keeps fragments, joins lists, and writes nothing for absent values', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(String(html`<ul>${items}</ul>${null}${undefined}${false}${0}${''}${[['x', [html`<br>`]]]}`)).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0x<br>',
    );
  });

  it('escapes what only looks like a fragment', () => {
    const pretend = { toString: () => '<script>' };
    const forged: object[] = [pretend, Object.assign(Object.create(Object.getPrototypeOf(html`<i>`)), pretend)];
    for (const value of forged) expect(String(html`${value as string & object}`)).toBe('&lt;script&gt;');
    expect(String(html`${Object.assign(html`<i>`, pretend)}`)).toBe('<i>');
  });

  it('refuses to be called as a function', () => {
    const call = html as unknown as (text: unknown) => unknown;
    for (const text of ['<script>', ['<script>']]) {
      expect(() => call(text)).toThrow(
        new TypeError('html is a template tag: write it before the text, so that values are escaped'),
      );
    }
  });
});

describe('styleElement', () => {
  it('writes the text as it is', () => {
    expect(String(styleElement('a>b{content:"&"}'))).toBe('<style>a>b{content:"&"}</style>');
  });

  it('refuses text that could end the element', () => {
    expect(() => styleElement('a{}</style><script>')).toThrow(new TypeError('a style sheet must not contain "<"'));
  });
});

describe('template', () => {
  const page = html`<p title="${hole('first')}">${hole('second')}, ${hole('first')}, ${'<!--second-->'}</p>`;

  it('fills the placeholders with escaped values, and leaves out those without a value', () => {
    const filled = template(page.toString());
    expect(filled({ first: '"a"', second: html`<b>` })).toBe(
      '<p title="&quot;a&quot;"><b>, &quot;a&quot;, &lt;!--second--&gt;</p>',
    );
    expect(filled({ first: '<!--second-->', second: 'x' })).toContain('title="&lt;!--second--&gt;">x,');
    expect(filled({ second: null })).toBe('<p title="">, , &lt;!--second--&gt;</p>');
  });
});
