import { clockSkew } from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { type OAuthProvider, resolveProvider } from '../../src/config/provider.ts';
import { clientOf } from '../../src/identity/oauth/client.ts';

const entry = { id: 'idp', name: 'IdP', type: 'oidc', issuer: 'https://idp.example', clientId: 'client' } as const;
const provider = resolveProvider(entry, 'http://localhost:3000/auth', undefined) as OAuthProvider;

describe('the client for the protocol library', () => {
  it('has the clock of each request', () => {
    for (const seconds of [0, 600, 0, -600]) {
      const client = clientOf(provider, new Date(Date.now() + seconds * 1000));
      expect(client).toMatchObject({ client_id: 'client', [clockSkew]: seconds });
    }
  });
});
