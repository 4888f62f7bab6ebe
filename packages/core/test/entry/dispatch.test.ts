import { describe, expect, it } from 'vitest';
import { routes } from '../../src/actions/routes.ts';
import { dispatch } from '../../src/auth.ts';
import { settingsFor } from '../../src/config/settings.ts';
import type { Action, Reply, Routes } from '../../src/context.ts';
import { readRequest } from '../../src/entry/request.ts';
import { log, SECRET } from '../flows/scene.ts';

const greet: Action = ({ providerId, query, callbackUrl }) => ({ body: { hello: providerId, ...query, callbackUrl } });
const save: Action = ({ body }) => ({ redirect: `/saved/${String(body.name)}` });

/** The route table with one more row. */
const table: Routes = {
  ...routes,
  greeting: { takes: 'provider', GET: { load: async () => greet }, POST: { load: () => save, csrf: true } },
};

async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
  const settings = settingsFor({ providers: [], secret: SECRET, trustHost: true, logger: log() });
  return dispatch(table, readRequest(new Request(`http://localhost:3000/auth/${path}`, init)), settings, {});
}

describe('an action that is added to a copy of the route table', () => {
  it('is answered with everything that it needs of the request', async () => {
    const { body, cookies } = await ask('greeting/ada?lang=en');
    expect(body).toEqual({ hello: 'ada', lang: 'en', callbackUrl: 'http://localhost:3000' });
    expect(cookies?.map(({ name }) => name).sort()).toEqual(['authjs.callback-url', 'authjs.csrf-token']);
  });

  it('refuses a form without a CSRF token, and carries out one that has it', async () => {
    expect(await ask('greeting', { method: 'POST' })).toMatchObject({ refused: true });
    const { body, cookies = [] } = await ask('csrf');
    const cookie = cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
    const form = new URLSearchParams({ ...(body as { csrfToken: string }), name: 'ada' });
    expect(await ask('greeting', { method: 'POST', body: form, headers: { cookie } })).toMatchObject({
      redirect: '/saved/ada',
    });
  });

  it('is unknown to the table of the library', () => {
    expect(Object.keys(routes)).not.toContain('greeting');
  });
});
