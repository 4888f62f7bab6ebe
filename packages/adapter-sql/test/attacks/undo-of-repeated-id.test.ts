import { DatabaseSync } from 'node:sqlite';
import { accountsOf } from '@latchkey/core/account';
import { application, type Browser } from '@latchkey/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SqlAdapter } from '../../src/index.ts';

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

/** An application on a table of users that gives the id of a deleted user to the next one. */
function site() {
  const db = new DatabaseSync(':memory:');
  db.exec('create table people (id integer primary key, name text, email text, "emailVerified" text, image text)');
  const adapter = SqlAdapter(db, { schema: { ids: { type: 'integer' }, tables: { users: 'people' } } });
  const app = application({ adapter, config: { account: true, session: { strategy: 'database' } } });
  const signIn = async (email: string, browser: Browser) => app.open(await app.mailedLink(email, {}, browser), browser);
  return { db, app, signIn };
}

it.each(['the user', 'a job'])(
  'an undo link of a user whom %s has deleted does not change the next user, who has the same id',
  async (by) => {
    const { db, app, signIn } = site();
    const eve = app.visitor();
    await signIn('eve@evil.example', eve);
    await app.post('account/email', { email: 'eve2@evil.example' }, eve);
    await app.post('account/confirm', { code: /\b\d{4} \d{4}\b/.exec(app.notices.at(-1)?.text ?? '')?.[0] }, eve);
    const notice = app.notices.at(-1);
    expect(notice?.to).toBe('eve@evil.example');
    const link = /http\S+account\/undo\?\S+/.exec(notice?.text ?? '')?.[0] ?? '';
    if (by === 'a job') await accountsOf(app.config).delete('1');
    else await app.post('account/delete', {}, eve);
    expect((await app.open(link, eve)).text()).toContain('Undo the change');

    app.clock.advance(60);
    const ada = app.visitor();
    await signIn('ada@example.com', ada);
    await eve.submit(eve.form(await app.open(link, eve)));
    expect(db.prepare('select id, email from people').all()).toEqual([{ id: 1, email: 'ada@example.com' }]);
    expect(await app.session(ada)).not.toBeNull();
  },
);
