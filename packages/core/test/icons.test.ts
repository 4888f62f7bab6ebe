import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Auth } from '../src/auth.ts';
import GitHub from '../src/providers/github.ts';
import type { Provider } from '../src/providers/index.ts';
import type { OAuthProviderButtonStyles } from '../src/providers/oauth.ts';

const client = { clientId: 'client', clientSecret: 'secret' };
const names = readdirSync(new URL('../src/icons', import.meta.url));

describe('the icon constants', () => {
  it.each(names)('%s is path data, and on the button of its provider', async (name) => {
    const { icon } = await import(`../src/icons/${name}`);
    expect(icon).toMatch(/^[Mm][\d\s.,+\-MmZzLlHhVvCcSsQqTtAa]+$/);
    const { default: factory } = await import(`../src/providers/${name}`);
    expect(factory().style).toEqual({ brandColor: expect.any(String), icon });
  });
});

describe('the mark on the sign-in page', () => {
  it('is the path of a built-in provider, in the page itself', async () => {
    const { mark, page, policy } = await signIn(GitHub(client));
    expect(mark).toMatch(/^<svg viewBox="0 0 24 24"><path d="M12 \.297c[^"]+"\/><\/svg>$/);
    expect(page).not.toMatch(/<(img|link|script|use)\b|\burl\(/);
    expect(policy).toContain("default-src 'none';");
    expect(policy).toContain("img-src 'self' data:;");
  });

  it('is the logo that the application chose', async () => {
    const { mark, page, policy } = await signIn(github({ logo: 'https://cdn.example/octocat.svg' }));
    expect(mark).toContain('<img src="https://cdn.example/octocat.svg"');
    expect(page).not.toContain('<path');
    expect(policy).toContain("img-src 'self' data: https://cdn.example;");
  });

  it('is the drawing that the application chose', async () => {
    expect((await signIn(github({ icon: 'M0 0h24z' }))).mark).toContain('<path d="M0 0h24z"/>');
  });

  it('stays in another colour', async () => {
    const { mark, page } = await signIn(github({ brandColor: '#ffffff' }));
    expect(mark).toContain('M12 .297c');
    expect(page).toContain('--provider-brand-color:#ffffff;');
  });

  it('is a letter for a provider without one', async () => {
    expect((await signIn(github({ icon: '' }))).mark).toBe('G');
    const own = { id: 'acme', name: 'Acme', type: 'oidc', issuer: 'https://acme.example', ...client } as const;
    expect((await signIn(own)).mark).toBe('A');
  });
});

const github = (style: OAuthProviderButtonStyles): Provider => GitHub({ ...client, style });

async function signIn(provider: Provider): Promise<{ page: string; mark: string | undefined; policy: string | null }> {
  const reply = await Auth(new Request('https://app.example/auth/signin'), {
    providers: [provider],
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
  });
  const page = await reply.text();
  const mark = /<span class="mark [^>]*>(.*?)<\/span>/.exec(page)?.[1];
  return { page, mark, policy: reply.headers.get('content-security-policy') };
}
