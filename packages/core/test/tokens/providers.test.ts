import { describe, expect, it } from 'vitest';
import { resolveProvider } from '../../src/config/provider.ts';
import Apple from '../../src/providers/apple.ts';
import Auth0 from '../../src/providers/auth0.ts';
import Cognito from '../../src/providers/cognito.ts';
import Discord from '../../src/providers/discord.ts';
import Facebook from '../../src/providers/facebook.ts';
import GitHub from '../../src/providers/github.ts';
import GitLab from '../../src/providers/gitlab.ts';
import Google from '../../src/providers/google.ts';
import type { Provider } from '../../src/providers/index.ts';
import Keycloak from '../../src/providers/keycloak.ts';
import LinkedIn from '../../src/providers/linkedin.ts';
import Entra from '../../src/providers/microsoft-entra-id.ts';
import Okta from '../../src/providers/okta.ts';
import Slack from '../../src/providers/slack.ts';
import Twitch from '../../src/providers/twitch.ts';
import X from '../../src/providers/twitter.ts';
import { configuredScopes, grantedScopes } from '../../src/tokens/scopes.ts';

const issuer = 'https://issuer.test';

function resolved(provider: Provider) {
  const made = resolveProvider(provider, 'https://app.test/auth', undefined);
  if (made.type !== 'oauth' && made.type !== 'oidc') throw new Error('not an OAuth provider');
  return made;
}

/** The parameters and the scopes that `offline: true` adds to the authorization request. */
const offline: [name: string, provider: (options: object) => Provider, added: object, scopes: string[]][] = [
  ['Google', Google, { access_type: 'offline' }, []],
  ['Apple', Apple, {}, []],
  ['Entra ID', Entra, {}, ['offline_access']],
  ['GitHub', GitHub, {}, []],
  ['GitLab', GitLab, {}, []],
  ['Slack', Slack, {}, []],
  ['Discord', Discord, {}, []],
  ['X', (options) => X({ ...options, authorization: { params: { scope: 'users.read' } } }), {}, ['offline.access']],
  ['Auth0', Auth0, {}, ['offline_access']],
  ['Okta', Okta, {}, ['offline_access']],
  ['Keycloak', Keycloak, {}, ['offline_access']],
  ['Cognito', Cognito, {}, []],
  ['LinkedIn', LinkedIn, {}, []],
  ['Twitch', Twitch, {}, []],
  ['Facebook', Facebook, {}, []],
];

describe('`offline: true`', () => {
  it.each(offline)('of %s adds what the vendor requires', (_, provider, added, scopes) => {
    const options = { clientId: 'x', clientSecret: 'y', issuer };
    const [before, after] = [resolved(provider(options)), resolved(provider({ ...options, offline: true }))];
    const { scope: _before, ...paramsBefore } = before.authorization.params;
    const { scope: _after, ...paramsAfter } = after.authorization.params;
    expect(paramsAfter).toEqual({ ...paramsBefore, ...added });
    const known = configuredScopes(before);
    expect(configuredScopes(after)).toEqual([...known, ...scopes]);
  });

  it('does not replace a configured parameter, nor repeat a scope', () => {
    const authorization = { params: { access_type: 'online', scope: 'openid' } };
    expect(resolved(Google({ offline: true, authorization })).authorization.params).toMatchObject(authorization.params);
    const twice = resolved(
      Okta({ issuer, offline: true, authorization: { params: { scope: 'openid offline_access' } } }),
    );
    expect(configuredScopes(twice)).toEqual(['openid', 'offline_access']);
  });
});

describe('granted scopes', () => {
  it.each([
    [{}, 'openid  email openid', ['openid', 'email']],
    [{ scopes: { separator: ',' } }, 'read:user, user:email', ['read:user', 'user:email']],
    [{ scopes: { aliases: { 'https://x.test/email': 'email' } } }, 'openid https://x.test/email', ['openid', 'email']],
  ])('%j reads %s', (own, text, expected) => {
    expect(grantedScopes(resolved({ ...Google({}), ...own } as Provider), text)).toEqual(expected);
  });

  it('of GitHub are separated by commas', () => {
    expect(grantedScopes(resolved(GitHub({})), 'read:user,user:email')).toEqual(['read:user', 'user:email']);
  });
});
