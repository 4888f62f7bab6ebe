import {
  type Browser,
  type FakeProvider,
  type FakeUser,
  type MemoryAdapter,
  memoryAdapter,
  type Page,
} from '@latchkey/testing';
import { expect } from 'vitest';
import type { EmailConfig, EmailProviderSendVerificationRequestParams } from '../../src/providers/email.ts';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { WebAuthnConfig } from '../../src/providers/webauthn.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import type { Door } from './doors.ts';
import { type PasskeyScene, passkeyScene } from './passkey-scene.ts';
import { fakeProvider, oidc, type SceneOptions } from './scene.ts';

export const OWNER = 'owner@example.com';
/** The page that asks for the code. */
export const WAITING = '/auth/verify-request?provider=mail&type=email&code=1';
/** The person to whom the address belongs, at a provider that does not verify it. */
export const owner: FakeUser = { sub: 'owner', name: 'Olive', email: OWNER, email_verified: false };

export interface VerificationOptions extends Pick<SceneOptions, 'call' | 'origin'> {
  config?: Partial<AuthConfig>;
  mail?: Partial<EmailConfig>;
  oauth?: Partial<OIDCConfig<Profile>>;
  passkey?: Partial<WebAuthnConfig>;
}

/** An application whose mails confirm the addresses of its provider and of passkeys. */
export interface VerificationScene extends PasskeyScene {
  readonly adapter: MemoryAdapter;
  readonly fake: FakeProvider;
  readonly sent: EmailProviderSendVerificationRequestParams[];
  /** The link and the code of the newest mail. */
  link(): string;
  code(): string;
  /** Returns from the provider to which a page has led. */
  comeBack(page: Page, user?: FakeUser, browser?: Browser): Promise<Page>;
  /** Signs in at the provider, up to the page that asks for the code. */
  start(user?: FakeUser, browser?: Browser): Promise<Page>;
  /** Types the code of the newest mail. */
  type(code?: string, browser?: Browser): Promise<Page>;
}

export function verificationScene(door: Door, options: VerificationOptions = {}): VerificationScene {
  const adapter = memoryAdapter();
  const fake = fakeProvider();
  const sent: VerificationScene['sent'] = [];
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: (params) => void sent.push(params),
    ...options.mail,
  };
  const providers = [mail, oidc(fake, options.oauth), Passkey(options.passkey)];
  const { mail: _, oauth: __, passkey, config, ...others } = options;
  const app = passkeyScene(door, passkey, { ...others, adapter, config: { providers, ...config } });
  const newest = () => sent.at(-1) ?? expect.unreachable('no mail was sent');
  const comeBack: VerificationScene['comeBack'] = async (page, user = owner, browser = app.browser) =>
    app.finish(await fake.authorize(page.location ?? '', { user }), browser);
  return {
    ...app,
    adapter,
    fake,
    sent,
    link: () => newest().url,
    code: () => newest().code ?? expect.unreachable('the mail has no code'),
    comeBack,
    start: async (user, browser = app.browser) =>
      comeBack(await app.begin('fake', { callbackUrl: '/in' }, browser), user, browser),
    type: (code, browser) => app.post('code/mail', { code: code ?? newest().code }, browser),
  };
}
