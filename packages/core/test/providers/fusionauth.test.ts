import { DEFAULT_SECRET, FakeProvider } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { withEnv } from '../../src/config/env.ts';
import FusionAuth from '../../src/providers/fusionauth.ts';
import { customFetch } from '../../src/symbols.ts';
import { oneDoor } from '../flows/doors.ts';
import { asked, leadsTo, scene, startsSession } from '../flows/scene.ts';

const TENANT = 'f0b9ad2e-7f4d-4d6c-9f1f-1d9a3b7c0001';

/** An instance with several tenants, of which the visitor is in one. */
function instance(tid: string | undefined) {
  const fake = new FakeProvider({
    endpoints: { token: '/oauth2/token', userinfo: '/oauth2/userinfo' },
    users: [{ sub: 'ada-1815', name: 'Ada Lovelace', ...(tid && { tid }) }],
  });
  const client = { clientId: 'client', clientSecret: DEFAULT_SECRET, issuer: fake.issuer, [customFetch]: fake.fetch };
  return { fake, client };
}

describe.each(oneDoor)('FusionAuth with tenants, through $name', (door) => {
  it.each([TENANT, undefined])('is asked for the tenant, its metadata too; a user of %s comes in', async (tid) => {
    const { fake, client } = instance(tid);
    const app = scene(door, { providers: [FusionAuth({ ...client, tenantId: TENANT })] });
    const started = await app.begin('fusionauth');
    expect(asked(started)).toMatchObject({ tenantId: TENANT, scope: 'openid offline_access email profile' });
    expect(fake.requests[0]?.url).toBe(`${fake.endpoints.discovery}?tenantId=${TENANT}`);
    expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(true);
  });

  it.each([
    ['`tenantId`', { tenantId: TENANT }],
    ['`authorization.params`', { authorization: { params: { tenantId: TENANT } } }],
  ])('refuses users of another one than %s names', async (_, options) => {
    const { fake, client } = instance('another');
    const app = scene(door, { providers: [FusionAuth({ ...client, ...options })] });
    const started = await app.begin('fusionauth');
    expect(asked(started).tenantId).toBe(TENANT);
    const page = await app.finish(await fake.authorize(started.location ?? ''));
    expect(leadsTo(page)).toBe('/auth/error?error=AccessDenied');
    expect(startsSession(page)).toBe(false);
  });

  it('finds the metadata below the issuer that the environment names', async () => {
    const { fake, client } = instance(TENANT);
    const { issuer, ...rest } = client;
    const environment = { AUTH_SECRET: DEFAULT_SECRET, AUTH_TRUST_HOST: 'true', AUTH_FUSIONAUTH_ISSUER: issuer };
    const { config } = withEnv({ providers: [FusionAuth({ ...rest, tenantId: 'a&b' })] }, environment);
    await scene(door, config).begin('fusionauth');
    expect(fake.requests[0]?.url).toBe(`${fake.endpoints.discovery}?tenantId=a%26b`);
  });

  it('asks for no tenant where none is named', async () => {
    const { fake, client } = instance('any');
    const app = scene(door, { providers: [FusionAuth(client)] });
    const started = await app.begin('fusionauth');
    expect(asked(started)).not.toHaveProperty('tenantId');
    expect(fake.requests[0]?.url).toBe(fake.endpoints.discovery);
  });
});
