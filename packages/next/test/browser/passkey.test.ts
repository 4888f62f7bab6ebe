import { describe, expect, it } from 'vitest';
import { type Authenticator, addAuthenticator } from '../../../core/test/browser/authenticator.ts';
import { fixture } from './fixture.ts';
import { gate, isWithoutBrowser, soon, type Tab, type Visit } from './visit.ts';

describe.skipIf(isWithoutBrowser)('passkeys in the browser', () => {
  const at = fixture();

  interface Device extends Authenticator {
    readonly tab: Tab;
  }

  /** A tab on a device that answers without a visitor. */
  async function device(visit?: Visit): Promise<Device> {
    const tab = await at.open(visit);
    await tab.sees('unauthenticated: no user');
    return { tab, ...(await addAuthenticator(tab.page)) };
  }

  const signIn = <T>({ tab }: Device, options: string): Promise<T> =>
    tab.run(`app.signInWithPasskey('passkey', { redirect: false, ${options} })`);

  const answersByItself = ({ cdp, authenticatorId }: Device, enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

  const register = (one: Device, email: string) => signIn(one, `action: 'register', email: '${email}'`);

  it('are made and used, and the session is known by then', async () => {
    const phone = await device();
    const url = phone.tab.page.url();
    expect(await register(phone, 'ada@example.com')).toEqual({ ok: true, status: 200, url });
    await soon(() => phone.tab.who()).toContain('authenticated');
    await phone.tab.run('app.signOut({ redirect: false })');
    expect(await signIn(phone, '')).toEqual({ ok: true, status: 200, url });
    expect(await phone.tab.run('app.getSession()')).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(phone.tab.complaints).toEqual([]);
  });

  it('redirect to the given address', async () => {
    const phone = await device();
    const to = `app.signInWithPasskey('passkey', { action: 'register', email: 'to@example.com', redirectTo: '/?there' })`;
    await phone.tab.run(`void ${to}`);
    await phone.tab.page.waitForURL('**/?there');
    await soon(() => phone.tab.who()).toContain('authenticated');
  });

  it('are offered in a field until one is taken, and a dialog takes precedence', async () => {
    const phone = await device();
    await register(phone, 'field@example.com');
    await phone.tab.run('app.signOut({ redirect: false })');
    await answersByItself(phone, false);
    const offered = signIn(phone, 'autofill: true');
    await soon(() => at.site.requests.at(-1)).toBe('GET webauthn-options/passkey');
    // The authenticator may answer only after the offer has ended.
    const slow = gate();
    at.site.disturb('webauthn-options', slow.closed);
    const asked = signIn<object>(phone, '');
    expect(await offered).toEqual({ ok: false, error: 'AbortError', status: 0, url: null });
    await answersByItself(phone, true);
    slow.open();
    expect(await asked).toMatchObject({ ok: true });
    await phone.tab.run('app.signOut({ redirect: false })');
    expect(await signIn(phone, 'autofill: true')).toMatchObject({ ok: true });
  });

  it('are no longer offered when the application aborts', async () => {
    const phone = await device();
    await answersByItself(phone, false);
    await phone.tab.run('void (globalThis.off = new AbortController())');
    const offered = signIn(phone, 'autofill: true, signal: off.signal');
    await soon(() => at.site.requests.at(-1)).toBe('GET webauthn-options/passkey');
    await phone.tab.run('off.abort()');
    expect(await offered).toEqual({ ok: false, error: 'AbortError', status: 0, url: null });
    expect(await signIn(phone, 'signal: AbortSignal.abort()')).toMatchObject({ error: 'AbortError' });
  });

  it('are offered again when the page becomes visible', async () => {
    const phone = await device();
    await answersByItself(phone, false);
    await phone.tab.run('void (globalThis.off = new AbortController())');
    const offered = signIn(phone, 'autofill: true, signal: off.signal');
    const offers = () => at.site.requests.filter((request) => request === 'GET webauthn-options/passkey').length;
    await soon(offers).toBe(1);
    await phone.tab.run(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await soon(offers).toBe(2);
    await phone.tab.run('off.abort()');
    expect(await offered).toMatchObject({ error: 'AbortError' });
    expect(offers()).toBe(2);
  });

  it('may be declined: the page stays, and receives the result', async () => {
    const phone = await device();
    await phone.cdp.send('WebAuthn.setUserVerified', { authenticatorId: phone.authenticatorId, isUserVerified: false });
    const declined = { ok: false, error: 'NotAllowedError', status: 0, url: null };
    expect(await register(phone, 'declined@example.com')).toEqual(declined);
    expect(
      await phone.tab.run(`app.signInWithPasskey('passkey', { action: 'register', email: 'd@example.com' })`),
    ).toEqual(declined);
    expect(await phone.tab.who()).toBe('unauthenticated: no user');
    expect(phone.tab.complaints).toEqual([]);
  });

  it('are refused by the server with a status, and by browsers without them', async () => {
    const phone = await device();
    const refused = { ok: false, error: 'BadRequest', status: 400, url: null };
    expect(await signIn(phone, `action: 'register'`)).toEqual(refused);
    await phone.tab.run('delete window.PublicKeyCredential');
    expect(await signIn(phone, '')).toEqual({ ok: false, error: 'NotSupportedError', status: 0, url: null });
  });

  it('that do not verify start no session', async () => {
    const phone = await device();
    await register(phone, 'taken@example.com');
    await phone.tab.run('app.signOut({ redirect: false })');
    await phone.cdp.send('WebAuthn.clearCredentials', { authenticatorId: phone.authenticatorId });
    expect(await register(phone, 'taken@example.com')).toEqual({
      ok: false,
      error: 'WebAuthnVerificationError',
      status: 200,
      url: null,
    });
    expect(await phone.tab.who()).toBe('unauthenticated: no user');
  });

  it('that cannot be offered do not make the browser leave the page', async () => {
    const phone = await device();
    const url = phone.tab.page.url();
    at.site.disturb('providers', 'fail');
    const offered = phone.tab.run(`app.signInWithPasskey('passkey', { autofill: true }).catch(({ name }) => name)`);
    expect(await offered).toBe('ClientFetchError');
    expect(phone.tab.page.url()).toBe(url);
    phone.tab.complaints.splice(0);
  });

  it('reject if the server cannot be reached', async () => {
    const phone = await device();
    at.site.disturb('webauthn-options', 'fail');
    await expect(signIn(phone, '')).rejects.toThrow('ClientFetchError');
  });
});
