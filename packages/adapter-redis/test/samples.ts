import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '@latchkey/core/adapters';

export const ada: AdapterUser = {
  id: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: new Date('2026-03-01T12:00:00.123Z'),
  image: null,
};

export const bob: AdapterUser = { ...ada, id: 'bob', email: 'bob@example.com' };

export const github: AdapterAccount = {
  provider: 'github',
  providerAccountId: '1',
  type: 'oauth',
  userId: 'ada',
  access_token: 'access',
  expires_at: 1_900_000_000,
};

export const passkey: AdapterAuthenticator = {
  credentialID: 'Y3JlZGVudGlhbA==',
  credentialPublicKey: 'cHVibGljIGtleQ==',
  counter: 0,
  credentialDeviceType: 'multiDevice',
  credentialBackedUp: true,
  transports: 'internal,hybrid',
  providerAccountId: 'Y3JlZGVudGlhbA==',
  userId: 'ada',
};

export const later: Date = new Date('2099-01-01T00:00:00.001Z');

/** Returns the error with which work rejects. */
export async function rejection(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}
