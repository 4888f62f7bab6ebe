import type { AdapterUser } from '../adapters.ts';
import { chain } from '../chain.ts';
import { lazily } from '../config/lazy.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { returnTo } from '../guards/return-to.ts';
import { allow } from '../identity/allow.ts';
import type { EmailProvider } from '../identity/email/begin.ts';
import { strategyOf } from '../session/strategy.ts';
import type { Awaitable } from '../types.ts';
import { limited, type Reserve } from './limited.ts';
import { needProvider } from './named-provider.ts';

const oauth = lazily(() => import('../identity/oauth/begin.ts'));
const email = lazily(() => import('../identity/email/begin.ts'));

/** `POST signin[/<provider>]`: starts a sign-in. Without a provider, and for those with a form, the way is to the page. */
export function signIn(context: Context): Awaitable<Reply> {
  const page: Reply = { redirect: `${context.origin}${context.basePath}/signin` };
  if (context.providerId === undefined) return page;
  const provider = needProvider(context);
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return begin(context, provider);
    case 'email':
      return beginEmail(context, provider);
    default:
      return page;
  }
}

function begin(context: Context, provider: OAuthProvider): Awaitable<Reply> {
  return chain(oauth(), ({ beginOAuth }) =>
    chain(visitorOf(context), (visitor) => beginOAuth(context, provider, visitor ? String(visitor.id) : undefined)),
  );
}

/** Who is signed in now; without a store, nobody can be linked to. */
function visitorOf(context: Context): Awaitable<AdapterUser | null> {
  if (!context.settings.hasAdapter) return null;
  return chain(strategyOf(context.settings), (strategy) => strategy.currentUser(context));
}

async function beginEmail(context: Context, provider: EmailProvider): Promise<Reply> {
  const { mailLink, readLinkRequest } = await email();
  const { origin, basePath, settings } = context;
  const request = await readLinkRequest(context, provider);
  const { identifier, user, account } = request;
  const mail: Reserve = ({ reserveMail }) => reserveMail(context, identifier);
  return limited(context, mail, async () => {
    const allowed = await allow(context, { user, account, email: { verificationRequest: true } });
    if (!allowed.go) return { redirect: await returnTo({ origin, ...settings }, allowed.elsewhere) };
    await mailLink(context, provider, request);
    return {
      redirect: `${origin}${basePath}/verify-request?${new URLSearchParams({ provider: provider.id, type: 'email' })}`,
    };
  });
}
