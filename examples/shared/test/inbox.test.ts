import { describe, expect, it } from 'vitest';
import { startInbox } from '../inbox.ts';
import { mailPolicy } from '../inbox-page.ts';

const site = { name: 'A demo', home: 'http://localhost:3000/', signIn: 'http://localhost:3000/sign-in' };
const mail = { to: ['ada@example.com'], subject: 'Sign in', date: new Date(0), text: 'Hello', html: '<p>Hello</p>' };

// The server ends with this process.
const inbox = await startInbox(site, [mail, { ...mail, html: '' }], 0);

describe('the inbox on its own port', () => {
  it('shows the mails, and has a link to the application', async () => {
    const page = await fetch(inbox);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    const text = await page.text();
    expect(text).toContain('ada@example.com');
    expect(text).toContain('href="http://localhost:3000/"');
    expect(text).toContain('src="/inbox/1"');
  });

  it('shows a mail in its frame, with the policy for mails', async () => {
    const frame = await fetch(`${inbox}/1`);
    expect(frame.headers.get('content-security-policy')).toBe(mailPolicy);
    expect(await frame.text()).toContain('<p>Hello</p>');
  });

  it.each(['/inbox/2', '/inbox/3', '/inbox/0', '/inbox/-1', '/inbox/length', '/inboxes', '/'])(
    'answers 404 to %s',
    async (path) => {
      expect((await fetch(new URL(path, inbox))).status).toBe(404);
    },
  );

  it('refuses POST', async () => {
    expect((await fetch(inbox, { method: 'POST' })).status).toBe(404);
  });
});
