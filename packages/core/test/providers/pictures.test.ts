import { describe, expect, it } from 'vitest';
import AzureDevOps from '../../src/providers/azure-devops.ts';
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts';

type Conform = NonNullable<ReturnType<typeof MicrosoftEntraID>['conformProfile']>;

describe('a picture as a data URL', () => {
  it.each([
    [32_768, true],
    [32_769, false],
  ])('of %i bytes is kept: %s (Microsoft Entra ID)', async (bytes, isKept) => {
    const issuer = 'https://login.microsoftonline.com/acme/v2.0';
    const fetch = async (): Promise<Response> =>
      new Response('x'.repeat(bytes), { headers: { 'content-type': 'image/jpeg' } });
    const context = { tokens: { access_token: 'x' }, provider: { issuer, fetch } } as unknown as Parameters<Conform>[1];
    const profile = { sub: 'ada', tid: 'acme' } as Parameters<Conform>[0];
    const { picture } = (await MicrosoftEntraID().conformProfile?.(profile, context)) ?? {};
    expect(picture).toEqual(isKept ? expect.stringMatching(/^data:image\/jpeg;base64,/) : null);
  });

  it.each([
    [32_768, true],
    [32_769, false],
  ])('of %i characters is kept: %s (Azure DevOps)', async (length, isKept) => {
    const { profile } = AzureDevOps();
    const coreAttributes = { Avatar: { value: { value: 'x'.repeat(length) } } };
    const told = { id: '1', displayName: 'Ada', emailAddress: 'ada@example.com', coreAttributes };
    const user = await profile?.(told as Parameters<NonNullable<typeof profile>>[0], {});
    expect(user?.image).toBe(isKept ? `data:image/jpeg;base64,${'x'.repeat(length)}` : null);
  });
});
