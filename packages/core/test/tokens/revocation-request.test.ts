import { allowInsecureIssuer } from '@latchkey/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeScene, type Scene, type SceneOptions } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

const ENDPOINT = 'https://idp.test/revoke';

/** A provider with a revocation endpoint that records its requests. */
function revocable(answer: () => Response = () => new Response(null), endpoint = ENDPOINT) {
  const sent: { form: URLSearchParams; headers: Headers }[] = [];
  const provider: SceneOptions['provider'] = {
    routes: {
      [endpoint]: async (request) => {
        sent.push({ form: new URLSearchParams(await request.text()), headers: request.headers });
        return answer();
      },
    },
  };
  return { sent, provider };
}

async function signedIn(options?: SceneOptions): Promise<Scene> {
  const scene = makeScene(options);
  await scene.app.signIn();
  return scene;
}

async function revoke(scene: Scene): Promise<string | undefined> {
  const [revoked] = await scene.jobs().revoke('fake', { userId: scene.userId });
  return revoked?.result;
}

/** The cause of the first error in the log, as one text. */
function loggedReason({ app }: Scene): string {
  return String(Reflect.get(app.log.errors[0]?.cause ?? {}, 'err'));
}

describe('a revocation request', () => {
  it('goes to the configured endpoint, without a request for the metadata', async () => {
    const { sent, provider } = revocable();
    const scene = await signedIn({ provider, entry: { revocation: ENDPOINT } });
    scene.later(90_000);
    const before = scene.provider.count('discovery');
    expect(await revoke(scene)).toBe('revoked');
    expect(sent.map(({ form }) => form.get('token_type_hint'))).toEqual(['refresh_token']);
    expect(scene.provider.count('discovery')).toBe(before);
  });

  it.each([
    ['configured', { revocation: ENDPOINT }],
    ['of the metadata', {}],
  ])('has the client authentication of the provider, at an endpoint that is %s', async (_, entry) => {
    const { sent, provider } = revocable();
    const client = { token_endpoint_auth_method: 'client_secret_jwt' } as const;
    const clients = [{ client_id: 'client', client_secret: 's'.repeat(32), ...client }];
    const scene = makeScene({ provider: { ...provider, clients }, entry });
    scene.provider.misbehave({ discovery: { json: { revocation_endpoint: ENDPOINT } } });
    await scene.app.signIn();
    expect(await revoke(scene)).toBe('revoked');
    const [, claims = ''] = String(sent[0]?.form.get('client_assertion')).split('.');
    const { iss, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect([iss, aud]).toEqual(['client', ['https://idp.test']]);
  });

  it('names the endpoint in its client authentication if the provider has no issuer', async () => {
    const { sent, provider } = revocable();
    const scene = await signedIn({ provider });
    const client = { token_endpoint_auth_method: 'client_secret_jwt' };
    scene.app.config.providers = [{ ...scene.provider.plainProvider(), client, revocation: ENDPOINT }];
    expect(await revoke(scene)).toBe('revoked');
    const [, claims = ''] = String(sent[0]?.form.get('client_assertion')).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: [ENDPOINT] });
  });

  it.each([
    ['invalid_token', 400, 'revoked'],
    ['invalid_client', 400, 'failed'],
    ['invalid_token', 500, 'failed'],
  ])('is answered with the error %s and the status %i: %s', async (error, status, result) => {
    const { sent, provider } = revocable(() => Response.json({ error }, { status }));
    const scene = await signedIn({ provider, entry: { revocation: ENDPOINT } });
    expect(await revoke(scene)).toBe(result);
    expect(sent).toHaveLength(result === 'revoked' ? 2 : 1);
    expect(scene.app.log.types()).toEqual(result === 'revoked' ? [] : ['AuthError']);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('has failed if the provider does not answer', async () => {
    const provider = revocable(() => {
      throw new TypeError('connection reset');
    }).provider;
    const scene = await signedIn({ provider, entry: { revocation: ENDPOINT } });
    expect(await revoke(scene)).toBe('failed');
    expect(loggedReason(scene)).toContain('connection reset');
  });

  it('is not sent without TLS, unless the owner allows it', async () => {
    const endpoint = 'http://idp.test/revoke';
    const { sent, provider } = revocable(undefined, endpoint);
    const scene = makeScene({ provider });
    scene.provider.misbehave({ discovery: { json: { revocation_endpoint: endpoint } } });
    await scene.app.signIn();
    expect(await revoke(scene)).toBe('failed');
    expect(loggedReason(scene)).toBe('Error: the revocation endpoint must be an https URL');
    expect(sent).toEqual([]);
    await scene.app.signIn();
    scene.app.config.providers = [{ ...scene.provider.provider(), [allowInsecureIssuer]: true }];
    expect(await revoke(scene)).toBe('revoked');
  });
});

describe('a provider without a revocation endpoint', () => {
  it.each([
    ['no issuer', {}],
    ['an issuer without metadata', { issuer: 'https://idp.test/nothing' }],
  ])('of plain OAuth, with %s, does not support a revocation', async (_, own) => {
    const scene = await signedIn();
    scene.app.config.providers = [scene.provider.plainProvider(own)];
    expect(await revoke(scene)).toBe('unsupported');
    expect(scene.app.log.types()).toEqual([]);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('of OpenID Connect may have one, so the revocation has failed while the metadata cannot be loaded', async () => {
    const scene = await signedIn();
    scene.later(90_000);
    scene.provider.misbehave({ discovery: { throw: true } });
    expect(await revoke(scene)).toBe('failed');
    expect(scene.app.log.types()).toEqual(['AuthError']);
  });
});
