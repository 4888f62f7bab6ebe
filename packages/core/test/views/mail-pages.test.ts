import { describe, expect, it } from 'vitest';
import english from '../../src/messages/en.ts';
import { confirmEmailPage } from '../../src/views/confirm-email.ts';
import { type VerifyRequestPageData, verifyRequestPage } from '../../src/views/verify-request.ts';
import { forms } from './outline.ts';

const origin = 'https://app.example:8443';
const signInUrl = `${origin}/auth/signin`;

describe('verifyRequestPage', () => {
  it('tells to look at the mail, and leads back to the site', () => {
    const page = verifyRequestPage({ theme: {}, language: english, origin, signInUrl }).html;
    expect(page).toContain('<h1>Check your inbox</h1>');
    expect(page).toContain(`href="${origin}">app.example:8443</a>`);
    expect(verifyRequestPage({ theme: {}, language: english, origin, signInUrl }).html).toContain(
      '<main class="verify-request">',
    );
  });

  const codeUrl = `${origin}/auth/code/mail`;
  const mail = { address: 'ada@example.com', codeUrl, resendUrl: `${origin}/auth/signin/mail`, secondsToWait: 0 };
  const withoutCode = { ...mail, codeUrl: undefined };
  const title = 'Check your inbox';
  const titleOver = 'Request a new email';
  const site = 'app.example:8443';
  const general =
    'A sign-in link was sent to your email address. If it does not arrive in a minute, check your spam folder.';
  const sentCode =
    'A link and a code were sent to ada@example.com. If they do not arrive in a minute, check your spam folder.';
  const sentLink =
    'A sign-in link was sent to ada@example.com. If it does not arrive in a minute, check your spam folder.';
  const over =
    'The code is no longer valid. It was mistyped too often, or the email has been used. Request a new email to ada@example.com.';
  const otherBrowser =
    'This browser does not wait for a code any more. The email has been used or has expired, or another browser requested it.';
  const field = 'Code from the email';
  const otherAddress = 'Use another address';

  it.each<[string, Partial<VerifyRequestPageData>, string[]]>([
    ['no mail that the browser knows', {}, [title, general, otherAddress, site]],
    ['a code, in another browser', { hadCode: true }, [titleOver, otherBrowser, 'Sign in', site]],
    ['a refused code, in another browser', { hasError: true }, [titleOver, `! ${otherBrowser}`, 'Sign in', site]],
    [
      'a link and a code',
      { mail, hadCode: true },
      [title, sentCode, field, '[Sign in]', '[Send again] quiet', otherAddress, site],
    ],
    [
      'a code that confirms the address, which can be sent again soon',
      { mail: { ...mail, verifies: 'Acme', secondsToWait: 1 } },
      [
        ...[title, `To continue with Acme, confirm your email address. ${sentCode}`, field, '[Confirm]'],
        ...['[Send again] quiet', 'The email can be sent again in\u00A01\u00A0second.', otherAddress, site],
      ],
    ],
    [
      'a wrong code, beside its field',
      { mail, hasError: true },
      [
        ...[title, sentCode, '! This is not the code in the newest email to ada@example.com. Check it, and try again.'],
        ...[field, '[Sign in]', '[Send again] quiet', otherAddress, site],
      ],
    ],
    ['a link without a code', { mail: withoutCode }, [title, sentLink, '[Send again] quiet', otherAddress, site]],
    [
      'a wrong code for a link without a code',
      { mail: withoutCode, hasError: true },
      [titleOver, `! ${over}`, '[Send again]', otherAddress, site],
    ],
    [
      'the last wrong code',
      { mail: { ...withoutCode, isOver: true } },
      [titleOver, over, '[Send again]', otherAddress, site],
    ],
  ])('says what to do after %s', (_, data, expected) => {
    const page = verifyRequestPage({
      theme: {},
      language: english,
      origin,
      signInUrl,
      csrfToken: 'csrf',
      ...data,
    }).html;
    expect(words(page)).toEqual(expected);
  });

  it('marks the field of a wrong code, and the title', () => {
    const page = verifyRequestPage({ theme: {}, language: english, origin, signInUrl, mail, hasError: true }).html;
    expect(forms(page)[0]?.inputs['code']).toMatchObject({
      ...{ 'aria-invalid': 'true', 'aria-describedby': 'code-error', autofocus: '' },
    });
    expect(page).toContain('<p class="error" id="code-error" role="alert">');
    expect(page).toContain(`<title>Error: ${title}</title>`);
  });
});

/** The visible texts of a page in order. Alerts begin with `!`, buttons are in brackets, and quiet ones are marked. */
function words(page: string): string[] {
  const visible =
    /<(h1|p|label|button|a class="button"|div(?= class="(?:error|notice)"))([^>]*)>([\s\S]*?)<\/(?:h1|p|label|button|a|div)>/g;
  return [...page.matchAll(visible)].map(([, name, attributes = '', content = '']) => {
    const text = content.replace(/<[^>]*>/g, '').trim();
    if (name === 'button') return `[${text}]${attributes.includes('quiet') ? ' quiet' : ''}`;
    return `${attributes.includes('role="alert"') ? '! ' : ''}${text}`;
  });
}

describe('confirmEmailPage', () => {
  const data = {
    theme: {},
    language: english,
    csrfToken: 'csrf',
    callbackUrl: `${origin}/inbox`,
    token: 'mailed',
    email: 'ada@example.com',
    now: new Date(0),
    hasCode: false,
    isAsker: false,
    action: `${origin}/auth/callback/email`,
  };

  it('names the address, and posts what the link carries', () => {
    const page = confirmEmailPage(data).html;
    expect(page).toContain('<strong><bdi>ada@example.com</bdi></strong>');
    const [form, ...others] = forms(page);
    expect(others).toEqual([]);
    expect(form).toMatchObject({ action: data.action, method: 'POST' });
    const values = Object.entries(form?.inputs ?? {}).map(([name, { type, value }]) => [name, type, value]);
    expect(values).toEqual([
      ['csrfToken', 'hidden', 'csrf'],
      ['callbackUrl', 'hidden', data.callbackUrl],
      ['token', 'hidden', 'mailed'],
      ['email', 'hidden', 'ada@example.com'],
    ]);
    expect(form?.buttons).toMatchObject([{ attributes: { type: 'submit' }, text: 'Sign in' }]);
  });

  const verifies = { provider: 'acme', name: 'Acme' };

  it('has a title, and the id of the provider for which it confirms the address', () => {
    expect(forms(confirmEmailPage({ ...data, verifies }).html)[0]?.inputs['verifies']).toMatchObject({ value: 'acme' });
    expect(confirmEmailPage(data).html).toContain('<title>Almost there</title>');
    expect(confirmEmailPage(data).html).toContain('<main class="verify-request">');
  });

  const close = 'If you did not ask for this, close the page.';
  const asAda = 'One more click, and you are signed in as ada@example.com.';
  const elsewhere = 'To sign in on another device, type the code from the email there.';
  it.each<[string, object, string[]]>([
    ['a link', {}, [asAda, '[Sign in]', close]],
    [
      'a link without the address',
      { email: undefined },
      ['One more click, and you are signed in.', '[Sign in]', close],
    ],
    [
      'a link with a code, in the session of another user',
      { hasCode: true, isAsker: true, signedInAs: 'Bob' },
      [asAda, 'You are signed in as Bob. That session ends.', '[Sign in]', close, elsewhere],
    ],
    [
      'a link that confirms the address, in the browser that requested it',
      { hasCode: true, isAsker: true, verifies, asked: { at: new Date(-120_000), browser: 'Firefox' } },
      [
        ...['One more click confirms ada@example.com, and you continue with Acme.', '[Confirm]'],
        ...['Requested 2\u00A0minutes\u00A0ago (Firefox).', close, elsewhere],
      ],
    ],
    [
      'a link that confirms the address, in another browser',
      { hasCode: true, verifies, asked: { at: new Date(120_000) } },
      [
        'One more click, and you are signed in as ada@example.com in this browser, without Acme.',
        ...['[Sign in]', 'Requested 0\u00A0seconds\u00A0ago.', close],
        'To continue with Acme, type the code from the email in the browser where you started. Do this only if you started it.',
      ],
    ],
  ])('says what the button of %s does', (_, more, expected) => {
    expect(words(confirmEmailPage({ ...data, ...more }).html)).toEqual(['Almost there', ...expected]);
  });

  it('does not contain a CSRF token if the framework checks the origin', () => {
    const { csrfToken: _, ...rest } = data;
    expect(forms(confirmEmailPage(rest).html)[0]?.inputs).not.toHaveProperty('csrfToken');
  });
});
