import { describe, expect, it } from 'vitest';
import english from '../../src/messages/en.ts';
import { type ErrorPageData, errorPage } from '../../src/views/error.ts';

const origin = 'https://app.example:8443';
const signInUrl = `${origin}/auth/signin`;

describe('errorPage', () => {
  const render = (data: Partial<ErrorPageData>) =>
    errorPage({ theme: {}, language: english, signInUrl, origin, ...data });

  it.each([
    ['Configuration', 500, 'Sign-in does not work right now', 'see the server log'],
    ['AccessDenied', 403, 'You do not have access', 'not allowed'],
    ['Verification', 403, 'This link has expired or was used', 'Request a new link'],
    ['AccountChanged', 403, 'Your sign-in could not be completed', 'choose the account with which you started'],
    ['RateLimited', 429, 'Too many attempts', 'in a few minutes'],
    ['Default', 200, 'Something went wrong', 'try again'],
    [undefined, 200, 'Something went wrong', 'try again'],
    ['__proto__', 200, 'Something went wrong', 'try again'],
    ['constructor', 200, 'Something went wrong', 'try again'],
  ])('%s is answered with %i', (error, status, heading, text) => {
    const answer = render({ error });
    expect(answer.status).toBe(status);
    expect(answer.page.html).toContain(`<h1>${heading}</h1>`);
    expect(answer.page.html).toContain(text);
  });

  it('offers what can help: signing in again, or the site', () => {
    for (const [error, text] of [
      ['AccessDenied', 'Use a different account'],
      ['Verification', 'Send a new link'],
      ['AccountChanged', 'Sign in'],
      ['RateLimited', 'Sign in'],
    ]) {
      expect(render({ error }).page.html).toContain(`<a class="button" href="${signInUrl}">${text}</a>`);
    }
    for (const error of ['Configuration', undefined]) {
      expect(render({ error }).page.html).toContain(`href="${origin}">app.example:8443</a>`);
    }
  });

  it('shows a reference and details only when they are given', () => {
    const plain = render({ error: 'Configuration' }).page.html;
    expect(plain).not.toContain('class="reference"');
    expect(plain).not.toContain('class="problems"');
    const details = [
      { type: 'MissingSecret', message: 'No <secret>.', remedy: 'Set `AUTH_SECRET`.' },
      { type: 'Other', message: 'M' },
    ];
    const full = render({ error: 'Configuration', reference: 'k3f9', details }).page.html;
    expect(full).toContain('mention <code>k3f9</code>.');
    expect(full).toContain(
      '<h2>MissingSecret</h2><p>No &lt;secret&gt;.</p><p class="remedy">Set <code>AUTH_SECRET</code>.</p>',
    );
    expect(full).toContain('<li><h2>Other</h2><p>M</p></li>');
  });

  it('links to the documentation at the end of a message', () => {
    const url = 'https://docs.example/errors.html#missing-secret';
    const messageOf = (message: string): string | undefined =>
      /<h2>Other<\/h2><p>(.*?)<\/p>/s.exec(render({ details: [{ type: 'Other', message }] }).page.html)?.[1];
    expect(messageOf(`Set \`AUTH_SECRET\`.\nIt is long. See ${url}`)).toBe(
      `Set <code>AUTH_SECRET</code>.\nIt is long. See <a href="${url}">${url}</a>`,
    );
    for (const text of [`See ${url}`, `First. See ${url} for more`, 'First. See https://docs.example/']) {
      expect(messageOf(text)).toBe(text);
    }
  });
});
