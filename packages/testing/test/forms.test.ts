import { describe, expect, it } from 'vitest';
import { parseForms } from '../src/browser/forms.ts';
import { Browser } from '../src/browser.ts';

const url = 'https://app.test/auth/signin?x=1';
const one = (html: string) => {
  const [form] = parseForms(html, url);
  if (!form) throw new Error('no form');
  return form;
};

describe('reading forms', () => {
  it('finds action and method', () => {
    expect(one('<FORM METHOD=post ACTION="../cb?a=1&amp;b=2" id=f></FORM>')).toMatchObject({
      action: 'https://app.test/cb?a=1&b=2',
      method: 'POST',
      id: 'f',
      enctype: 'application/x-www-form-urlencoded',
      url,
    });
    expect(one('<form></form>')).toMatchObject({ action: url, method: 'GET', id: undefined });
    expect(one('<form enctype="multipart/form-data" method="dialog">')).toMatchObject({
      method: 'GET',
      enctype: 'multipart/form-data',
    });
  });

  it('reads each kind of field', () => {
    const { fields, value } = one(`<form>
      <input name=plain value='a "b" &lt;c&gt; &#x41;&#66;&nbsp;&unknown;'><input name="empty"><input value="nameless">
      <input type=checkbox name=ticked checked><input type=checkbox name=box value=1><input type="radio" name=r value=x><input type="radio" name=r value=y checked>
      <input name=off value=1 disabled>
      <textarea name=t>\n<b>bold</b> &amp; more</textarea>
      <select name=s><option value=1>one</option><option selected>two</option></select><select name=first><option value=f>x</select>
      <input type=submit name=go><input type=button name=no><input type=reset name=no2></form>`);
    expect(fields.filter(({ sent }) => sent).map(({ name, value: text }) => [name, text])).toEqual([
      ['plain', 'a "b" <c> AB\u00a0&unknown;'],
      ['empty', ''],
      ['ticked', 'on'],
      ['r', 'y'],
      ['t', '<b>bold</b> & more'],
      ['s', 'two'],
      ['first', 'f'],
    ]);
    expect(value('box')).toBe('1');
    expect(value('nothing')).toBeUndefined();
  });

  it('reads buttons', () => {
    const { buttons } =
      one(`<form><button name="provider" value="github"><img alt="x">Sign in\n with <b>GitHub</b></button>
      <button type="button">no</button><button disabled>no</button><input type="submit" value="Send" formaction="/other" formmethod="post"><input type=image alt=Go></form>`);
    expect(buttons).toEqual([
      { name: 'provider', value: 'github', text: 'Sign in with GitHub', action: undefined, method: undefined },
      { name: '', value: 'Send', text: 'Send', action: 'https://app.test/other', method: 'POST' },
      { name: '', value: '', text: 'Go', action: undefined, method: undefined },
    ]);
  });

  it('ignores forms in comments, scripts and attributes', () => {
    const html = `<!doctype html><!-- <form id=a> --><script>const x = '<form id=b>';</script><style>/* <form id=c> */</style>
      <title><form id=d></title><p title="<form id=e>">text</p><noscript><form id=n></form></noscript><form id=real><input name=a value="1>2"></form><form id=second></form>`;
    expect(parseForms(html, url).map(({ id }) => id)).toEqual(['real', 'second']);
    expect(one(html).value('a')).toBe('1>2');
  });
});

describe('submitting forms', () => {
  const html = `<form method="post" action="/auth/signin/x"><input type="hidden" name="csrfToken" value="t"><input name="email"><input type="checkbox" name="stay" checked>
    <button>Go</button><button name="action" value="cancel">Cancel</button><button formmethod="get" formaction="/search">Search</button></form>
    <form method="post" action="https://idp.test/up" enctype="multipart/form-data"><input name="f" value="v"></form>`;
  const browser = new Browser(
    async (request) => {
      if (request.method === 'GET' && request.url.endsWith('/')) return new Response(html);
      return new Response(
        [
          request.method,
          request.url,
          request.headers.get('origin'),
          request.headers.get('sec-fetch-site'),
          await request.text(),
        ].join(' '),
      );
    },
    { origin: 'https://app.test' },
  );
  const page = () => browser.get('/');
  const post = 'POST https://app.test/auth/signin/x https://app.test same-origin';

  it('sends the fields, with overrides', async () => {
    const form = browser.form(await page());
    expect((await browser.submit(form)).text()).toBe(`${post} csrfToken=t&email=&stay=on`);
    expect((await browser.submit(form, { email: 'a@b.c', stay: undefined, more: '1' })).text()).toBe(
      `${post} csrfToken=t&email=a%40b.c&more=1`,
    );
  });

  it('submits with the named button', async () => {
    const form = browser.form(await page());
    expect((await browser.submit(form, {}, { button: 'Cancel' })).text()).toBe(
      `${post} csrfToken=t&email=&stay=on&action=cancel`,
    );
    expect((await browser.submit(form, {}, { button: 'Search' })).text()).toBe(
      'GET https://app.test/search?csrfToken=t&email=&stay=on  same-origin ',
    );
    expect(() => browser.submit(form, {}, { button: 'Other' })).toThrow('does not have a button "Other"');
  });

  it('finds forms by action, and sends the origin of their page', async () => {
    const text = (await browser.submit(browser.form(await page(), 'idp.test'))).text();
    expect(text).toMatch(/^POST https:\/\/idp\.test\/up https:\/\/app\.test cross-site /);
    expect(text).toContain('name="f"\r\n\r\nv');
    const formless = await browser.get('/elsewhere');
    expect(() => browser.form(formless)).toThrow(
      'the page does not have such a form: 200 https://app.test/elsewhere: GET',
    );
  });
});
