import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { ExpressAuth, type ExpressAuthConfig, pendingMail } from '@latchkey/express';
import Resend from '@latchkey/express/providers/resend';
import express from 'express';

const config = {
  adapter: SqlAdapter(new DatabaseSync(':memory:')),
  providers: [Resend({ code: true })],
  pages: { verifyRequest: '/check-mail' },
} satisfies ExpressAuthConfig;

export const app = express();
app.use('/auth', ExpressAuth(config));

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const codeForm = `<form method="POST" action="/auth/code/resend">
  <input type="hidden" name="csrfToken">
  <label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
  <button>Sign in</button>
</form>`;

app.get('/check-mail', async (req, res) => {
  const mail = await pendingMail(req, config);
  if (!mail) return res.redirect('/auth/signin');
  res.send(`<!doctype html>
<title>Check your email</title>
<p>We have sent an email to ${escaped(mail.email)}.</p>
${req.query['error'] ? '<p role="alert">This is not the code in the newest email.</p>' : ''}
${mail.code ? codeForm : ''}
<form method="POST" action="/auth/signin/resend">
  <input type="hidden" name="csrfToken">
  <button>Send again</button>
</form>
<script type="module">
  const { csrfToken } = await (await fetch('/auth/csrf')).json();
  for (const field of document.getElementsByName('csrfToken')) field.value = csrfToken;
</script>`);
});
