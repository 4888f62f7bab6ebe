import { MemorySessionRecords, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { checkBasics } from '../../src/config/check.ts';
import { settingsFor } from '../../src/config/settings.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { makeSite } from './scene.ts';

const store = MemorySessionRecords();
const adapter = memoryAdapter();
const oidc = { id: 'idp', name: 'IdP', type: 'oidc', issuer: 'https://idp.test' } as const;

/** Returns the problems and the codes of the warnings of a configuration, without the link to the page of errors. */
function findings(config: object): { problems: string[]; warnings: string[] } {
  const whole: AuthConfig = { providers: [], secret: 'x'.repeat(32), trustHost: true, ...config };
  const found = checkBasics(whole, settingsFor(whole).checksNeeded, new URL('https://app.test/auth'));
  return {
    problems: found.problems.map(({ message }) => message.replace(/\. See @latchkey.*$/, '')),
    warnings: found.warnings.map(({ code }) => code),
  };
}

const withRecords = (records: object): object => ({ session: { strategy: 'jwt', records: { store, ...records } } });

describe('a configuration of sessions', () => {
  it.each<[string, object]>([
    [
      '`session.records` needs a store. Set `records.store` to `SqlSessionRecords(db)` or `RedisSessionRecords(client)`',
      { session: { records: true } },
    ],
    [
      '`session.records` needs a store. Set `records.store` to `SqlSessionRecords(db)` or `RedisSessionRecords(client)`',
      { adapter, session: { records: {} } },
    ],
    ['`session.records` must be true, false or an object', { session: { records: 'yes' } }],
    ...[-1, 301, 1.5, '10', Number.NaN].map((revocationLag): [string, object] => [
      '`session.records.revocationLag` must be a whole number of seconds from 0 to 300',
      withRecords({ revocationLag }),
    ]),
    ...[0, 1001, 2.5].map((maxPerUser): [string, object] => [
      '`session.records.maxPerUser` must be a whole number from 1 to 1000',
      withRecords({ maxPerUser }),
    ]),
    ['`session.records.label` must be a function or false', withRecords({ label: 'Kiosk' })],
    ['`session.records.network` must be true or false', withRecords({ network: 'yes' })],
    ...[59, 60.5, '90', 0].map((maxLifetime): [string, object] => [
      '`session.maxLifetime` must be a whole number of seconds, 60 or more',
      { session: { maxLifetime } },
    ]),
    [
      '`session.maxLifetime` needs `session.records` with database sessions. Set both',
      { adapter, session: { maxLifetime: 3600 } },
    ],
    [
      '`logout.provider` needs `session.records` with database sessions. Set both',
      { adapter, providers: [oidc], logout: { provider: true } },
    ],
    ['`logout.backchannel` needs `session.records`. Set both', { providers: [oidc], logout: { backchannel: true } }],
    [
      '`logout` needs a provider of type "oidc". Add one, or remove `logout`',
      { ...withRecords({}), logout: { backchannel: true } },
    ],
  ])('has the problem: %s', (problem, config) => {
    expect(findings(config)).toEqual({ problems: [problem], warnings: [] });
  });

  it.each<object>([
    withRecords({ revocationLag: 0, maxPerUser: 1, label: false, network: true }),
    withRecords({ revocationLag: 300, maxPerUser: 1000, label: () => 'Kiosk' }),
    { session: { records: false } },
    { session: { maxLifetime: 60 } },
    { adapter: { ...adapter, sessionRecords: store }, session: { records: true } },
    { adapter: () => adapter, session: { records: true, strategy: 'jwt' } },
    { adapter, session: { records: { store }, maxLifetime: 3600 } },
    { providers: [oidc], logout: { provider: true } },
  ])('that can be used has no problem: %j', (config) => {
    expect(findings(config)).toEqual({ problems: [], warnings: [] });
  });

  it('has a warning if a lag is set for database sessions', () => {
    const session = { records: { store, revocationLag: 5 } };
    expect(findings({ adapter, session })).toEqual({ problems: [], warnings: ['revocation-lag'] });
  });

  it('whose function makes an adapter without a record store fails at the sign-in', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    Object.assign(app.config, {
      adapter: () => app.adapter,
      session: { strategy: 'jwt', records: true },
    });
    const page = await app.signIn();
    expect(page.location).toContain('/auth/error?error=Configuration');
    expect(app.log.errors.at(-1)?.message).toContain('`session.records` needs a store');
  });
});
