import { type CreationOptionsJSON, type PasskeyLies, SoftwareAuthenticator } from '@latchkey/testing';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { describe, expect, it } from 'vitest';

const origin = 'https://app.test';
const creation: CreationOptionsJSON = {
  challenge: 'Y2hhbGxlbmdl',
  rp: { id: 'app.test', name: 'App' },
  user: { id: 'dXNlcg', name: 'ada', displayName: 'Ada' },
  pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg })),
};
const request = { challenge: 'YWdhaW4', rpId: 'app.test' };
const expected = { expectedOrigin: origin, expectedRPID: 'app.test' };

type Registration = Parameters<typeof verifyRegistrationResponse>[0]['response'];
type Assertion = Parameters<typeof verifyAuthenticationResponse>[0]['response'];

async function register(device: SoftwareAuthenticator, lies?: PasskeyLies) {
  const response = device.create(creation, origin, lies) as unknown as Registration;
  return verifyRegistrationResponse({
    ...expected,
    response,
    expectedChallenge: creation.challenge,
    supportedAlgorithmIDs: [-7, -8, -257],
  });
}

describe.each(['ES256', 'RS256', 'EdDSA'] as const)('a software authenticator with %s', (algorithm) => {
  it('makes and uses passkeys that another library accepts', async () => {
    const device = new SoftwareAuthenticator({ algorithm, transports: ['usb'] });
    const { verified, registrationInfo } = await register(device);
    expect(verified).toBe(true);
    const credential = registrationInfo?.credential;
    expect(credential).toMatchObject({ counter: 0, transports: ['usb'], id: device.passkeys[0]?.id });
    if (!credential) throw new Error('no credential');
    const used = await verifyAuthenticationResponse({
      ...expected,
      response: device.get(request, origin) as unknown as Assertion,
      expectedChallenge: request.challenge,
      credential,
    });
    expect(used).toMatchObject({ verified: true, authenticationInfo: { newCounter: 1, userVerified: true } });
  });
});

describe('a software authenticator', () => {
  it('makes no passkey twice, and none of an unknown algorithm', () => {
    const device = new SoftwareAuthenticator();
    const { id } = device.create(creation, origin);
    expect(() => device.create({ ...creation, excludeCredentials: [{ id }] }, origin)).toThrow('already');
    expect(() => device.create({ ...creation, pubKeyCredParams: [{ alg: -8 }] }, origin)).toThrow('no algorithm');
  });

  it('offers the newest passkey of the relying party that is allowed', () => {
    const device = new SoftwareAuthenticator({ relatedOrigins: ['https://app.example'] });
    const [first, second] = [device.create(creation, origin), device.create(creation, 'https://login.app.test')];
    expect(device.get(request, origin).id).toBe(second.id);
    expect(device.get({ ...request, allowCredentials: [{ id: first.id }] }, origin).id).toBe(first.id);
    expect(device.get(request, 'https://app.example').id).toBe(second.id);
    expect(() => device.get({ ...request, allowCredentials: [{ id: 'AAAA' }] }, origin)).toThrow('no passkey');
    expect(() => device.get(request, 'https://evil.test')).toThrow('not a page of app.test');
    expect(() => device.get({ challenge: 'AA' }, 'https://other.test')).toThrow('no passkey');
  });

  it('counts its signatures, unless it has no counter', () => {
    const counter = (device: SoftwareAuthenticator): number | undefined => {
      device.create(creation, origin);
      device.get(request, origin);
      device.get(request, origin);
      return device.passkeys[0]?.counter;
    };
    expect(counter(new SoftwareAuthenticator())).toBe(2);
    expect(counter(new SoftwareAuthenticator({ counting: false }))).toBe(0);
  });

  it('has clones with their own counters', () => {
    const device = new SoftwareAuthenticator();
    device.create(creation, origin);
    const clone = device.clone();
    device.get(request, origin);
    expect([device.passkeys[0]?.counter, clone.passkeys[0]?.counter]).toEqual([1, 0]);
    expect(clone.passkeys[0]?.id).toBe(device.passkeys[0]?.id);
  });

  const lies: [PasskeyLies, RegExp][] = [
    [{ type: 'webauthn.get' }, /type/],
    [{ challenge: 'AAAA' }, /challenge/],
    [{ origin: 'https://evil.test' }, /origin/],
    [{ rpId: 'evil.test' }, /RP ID/],
    [{ flags: { userPresent: false } }, /presence/],
    [{ flags: { userVerified: false } }, /verification/],
    [{ flags: { backupEligible: false, backedUp: true } }, /backed up/],
    [{ algorithm: -65535 }, /alg/],
    [{ format: 'unheard-of' }, /Format/],
    [{ statement: new Map([['x', 1]]) }, /attestation/],
    [{ credentialType: 'password' }, /type/],
  ];
  it.each(lies)('lies so that another library notices: %j', async (lie, complaint) => {
    await expect(register(new SoftwareAuthenticator(), lie)).rejects.toThrow(complaint);
  });

  it('lies about signature and counter, too', async () => {
    const device = new SoftwareAuthenticator();
    const { registrationInfo } = await register(device);
    const verify = (lie: PasskeyLies) =>
      verifyAuthenticationResponse({
        ...expected,
        response: device.get(request, origin, lie) as unknown as Assertion,
        expectedChallenge: request.challenge,
        credential: { ...(registrationInfo?.credential as never as { id: string; publicKey: never }), counter: 5 },
      });
    expect((await verify({ counter: 9 })).verified).toBe(true);
    expect((await verify({ counter: 9, signature: 'broken' })).verified).toBe(false);
    await expect(verify({ counter: 5 })).rejects.toThrow('counter');
  });
});
