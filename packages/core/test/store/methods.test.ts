import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { log, SECRET } from '../flows/scene.ts';

describe('the debug log of the store', () => {
  it.each([
    ['getSessionAndUser', ['token-of-a-session']],
    ['deleteSession', ['token-of-a-session']],
    ['replaceSession', ['token-of-a-session', { sessionToken: 'next-token-of-a-session', userId: '1' }]],
    ['updateSession', [{ sessionToken: 'token-of-a-session' }]],
    ['extendSession', [{ sessionToken: 'token-of-a-session', from: new Date(0), to: new Date(1) }]],
    ['useVerificationToken', [{ identifier: 'ada@example.com', token: 'token-of-a-session' }]],
  ] as const)('contains no token that %s gets', async (name, args) => {
    const logger = log();
    const store = await settingsFor({ providers: [], secret: SECRET, adapter: memoryAdapter(), logger }).store();
    const method = store?.[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
    await method?.(...args).catch(() => undefined);
    expect(logger.debugged.map(([message]) => message)).toEqual([`adapter_${name}`]);
    expect(JSON.stringify(logger.debugged)).not.toContain('token-of-a-session');
  });
});
