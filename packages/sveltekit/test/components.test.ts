import { readdirSync } from 'node:fs';
import type { Browser, Form, Page } from '@latchkey/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { isMailProvider } from '../src/components/form.ts';
import { labelOf } from '../src/components/labels.ts';
import { config, play } from './kit/scene.ts';
import { app, startKit } from './kit/server.ts';

vi.mock('$app/paths', () => ({ base: '' }));

let browser: Browser;
let page: Page;
beforeAll(async () => {
  play(config());
  browser = (await startKit(app)).browser();
  page = await browser.get('/shop/forms');
});

const form = (id: string): Form => browser.form(page, (form) => form.id === id);
const fields = (id: string) => form(id).fields.map(({ name, type, value }) => `${type} ${name}=${value}`);
const button = (id: string) => form(id).buttons.map(({ text }) => text);
const to = (path: string) => `http://localhost:3000/shop${path}`;

describe('SignIn', () => {
  it('is a form that works without scripts', () => {
    expect(form('bare')).toMatchObject({ method: 'POST', action: to('/signin') });
    expect([fields('bare'), button('bare')]).toEqual([['hidden providerId='], ['Sign in']]);
  });

  it('says what its properties say', () => {
    expect(page.text()).toMatch(/<form[^>]*class="signInButton wide"[^>]*id="github"/);
    expect(fields('github')).toEqual([
      'hidden providerId=github',
      'hidden callbackUrl=/shop/private',
      'hidden redirectTo=/shop/private',
      'hidden redirect=false',
      'hidden authorizationParams-prompt=login',
    ]);
    expect(button('github')).toEqual(['Sign in with GitHub']);
  });

  it('names the provider as the built-in page does, by its id or by the label of the application', () => {
    expect([button('mail'), button('credentials')]).toEqual([['Continue'], ['Signin with credentials']]);
    expect(button('labelled')).toEqual(['Sign in with Acme']);
    expect(page.text()).toMatch(/id="labelled".*?<button type="submit" class="button quiet"/s);
  });

  it('takes form data, parameters as text, and an action of another page', () => {
    expect(form('text').action).toBe(to('/login?/start'));
    expect(fields('text')).toEqual([
      'hidden providerId=github',
      'hidden callbackUrl=/shop/from-form',
      'hidden redirectTo=/shop/from-form',
      'hidden authorizationParams-a=1',
      'hidden authorizationParams-a=2',
    ]);
  });

  it('leads to what Kit has resolved for the page with the form', () => {
    expect(form('resolved').value('redirectTo')).toBe('/shop/private');
  });

  it('asks for an address where the provider sends mails, in its own field or in the one that is given', () => {
    expect(fields('mail')).toEqual(['hidden providerId=nodemailer', 'email email=']);
    expect(page.text()).toMatch(/<label>\s*Email\s*<input type="email"[^>]*required/);
    expect(fields('mail-snippet')).toEqual(['hidden providerId=nodemailer', 'text email=ada@example.com']);
    expect(button('mail-snippet')).toEqual(['Send']);
  });

  it('shows the fields of credentials for that provider only, and other fields always', () => {
    expect(fields('credentials')).toEqual(['hidden providerId=credentials', 'text more=', 'text password=']);
    expect(fields('others')).toEqual(['hidden providerId=github']);
  });

  it('takes the older slots, too', () => {
    expect(fields('older')).toEqual(['hidden providerId=credentials', 'text password=']);
    expect(button('older')).toEqual(['Let me in']);
  });

  it('knows every provider that sends mails', async () => {
    const mails = (await builtIn()).filter(({ type }) => type === 'email');
    expect(mails.length).toBeGreaterThan(5);
    expect(mails.filter(({ id }) => !isMailProvider(id))).toEqual([]);
    expect(isMailProvider('github')).toBe(false);
  });

  it('knows the label of every provider, and capitalizes other ids', async () => {
    const services = (await builtIn()).filter(({ type }) => type === 'oauth' || type === 'oidc');
    expect(services.length).toBeGreaterThan(100);
    expect(services.map(({ id }) => labelOf(id))).toEqual(services.map(({ name, style }) => style?.label ?? name));
    expect([labelOf('acme'), labelOf('my-idp')]).toEqual(['Acme', 'My Idp']);
  });
});

type BuiltIn = { id: string; name: string; type: string; style?: { label?: string } };

/** Returns all built-in providers. */
async function builtIn(): Promise<BuiltIn[]> {
  const folder = new URL('../../core/src/providers/', import.meta.url);
  const modules = await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder).href)));
  return modules.flatMap(({ default: make }) => {
    try {
      const made = make({ server: 'smtp://localhost', domain: 'example.com', apiKey: 'key-us1', from: 'a@b.test' });
      return made.type === undefined ? [] : [made];
    } catch {
      return [];
    }
  });
}

describe('SignInCode', () => {
  it('is a form for the code that works without scripts, with a field that phones fill in', () => {
    expect(form('code')).toMatchObject({ method: 'POST', action: to('/signin') });
    expect([fields('code'), button('code')]).toEqual([['hidden providerId=nodemailer', 'text code='], ['Sign in']]);
    const [field = ''] = /<input[^>]*name="code"[^>]*>/.exec(page.text()) ?? [];
    expect(field).toMatch(/inputmode="numeric"/);
    expect(field).toMatch(/autocomplete="one-time-code"/);
    expect(field).toMatch(/required/);
  });

  it('says what its properties say', () => {
    expect(form('code-to').action).toBe(to('/login'));
    expect(page.text()).toMatch(/<form[^>]*class="signInCode wide"[^>]*id="code-to"/);
    expect(fields('code-to')).toEqual([
      'hidden providerId=nodemailer',
      'hidden redirectTo=/shop/private',
      'hidden redirect=false',
      'text code=1234',
    ]);
    expect(button('code-to')).toEqual(['Enter']);
  });
});

describe('SignOut', () => {
  it('is a form that works without scripts', () => {
    expect(form('out')).toMatchObject({ method: 'POST', action: to('/signout'), fields: [] });
    expect(button('out')).toEqual(['Sign Out']);
  });

  it('says what its properties say', () => {
    expect(form('out-to').action).toBe(to('/bye'));
    expect(fields('out-to')).toEqual(['hidden redirectTo=/shop/bye', 'hidden redirect=true', 'hidden provider=false']);
    expect([button('out-to'), button('out-older')]).toEqual([['Leave'], ['Leave']]);
    expect(page.text()).toMatch(/<form[^>]*class="signOutButton link"[^>]*id="out-to"/);
  });
});
