import { gzipSync } from 'node:zlib';
import { application, memoryAdapter } from '@latchkey/testing';
import { expect, it } from 'vitest';
import Apple from '../../src/providers/apple.ts';
import Credentials from '../../src/providers/credentials.ts';
import Discord from '../../src/providers/discord.ts';
import Facebook from '../../src/providers/facebook.ts';
import GitHub from '../../src/providers/github.ts';
import GitLab from '../../src/providers/gitlab.ts';
import Google from '../../src/providers/google.ts';
import LinkedIn from '../../src/providers/linkedin.ts';
import Microsoft from '../../src/providers/microsoft-entra-id.ts';
import Passkey from '../../src/providers/passkey.ts';
import Resend from '../../src/providers/resend.ts';
import Slack from '../../src/providers/slack.ts';
import Spotify from '../../src/providers/spotify.ts';
import Twitch from '../../src/providers/twitch.ts';
import X from '../../src/providers/twitter.ts';
import type { AuthConfig } from '../../src/types/config.ts';

const client = { clientId: 'id', clientSecret: 'secret' };
const services = [
  ...[Apple(client), Discord(client), Facebook(client), GitHub(client), GitLab(client), Google(client)],
  ...[LinkedIn(client), Microsoft(client), Slack(client), Spotify(client), Twitch(client), X(client)],
];
const others = [
  Resend({ apiKey: 'key', from: 'login@app.example' }),
  Credentials({
    credentials: { username: { label: 'Username' }, password: { label: 'Password', type: 'password' } },
    authorize: () => null,
  }),
  Passkey({ unverifiedEmail: 'allow' }),
];

/** The bytes of the page. Five of the twelve marks have several colors, decision 52. */
it.each<[string, AuthConfig['providers'], { plain: number; gzipped: number }]>([
  ['one provider', [GitHub(client)], { plain: 10_500, gzipped: 3_600 }],
  ['twelve providers, passkeys, mail and a password', [...services, ...others], { plain: 25_000, gzipped: 7_500 }],
])('the sign-in page with %s is small', async (_, providers, most) => {
  const app = application({
    adapter: memoryAdapter(),
    config: { providers, session: { strategy: 'jwt' }, experimental: { enableWebAuthn: true } },
  });
  const html = (await app.browser.get('/auth/signin')).text();
  expect(html.match(/class="mark"/g)).toHaveLength(providers.length === 1 ? 1 : services.length);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(most.plain);
  expect(gzipSync(html).length).toBeLessThanOrEqual(most.gzipped);
});
