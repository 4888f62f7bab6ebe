import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '@latchkey/core/adapters';

export const ada: AdapterUser = {
  id: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: new Date('2026-03-01T12:00:00.123Z'),
  image: null,
};

export const bob: AdapterUser = { ...ada, id: 'bob', name: 'Bob', email: 'bob@example.com' };

export const github: AdapterAccount = {
  provider: 'github',
  providerAccountId: '1',
  type: 'oauth',
  userId: 'ada',
  access_token: 'access',
  expires_at: 1_900_000_000,
};

export const passkey: AdapterAuthenticator = {
  credentialID: 'credential',
  credentialPublicKey: 'key',
  credentialDeviceType: 'multiDevice',
  credentialBackedUp: true,
  counter: 3,
  providerAccountId: '1',
  transports: 'usb,nfc',
  userId: 'ada',
};

export const later: Date = new Date('2099-01-01T00:00:00.001Z');
