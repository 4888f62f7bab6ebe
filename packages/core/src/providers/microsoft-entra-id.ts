import { AccessDenied } from '../errors.ts';
import mark from '../marks/microsoft.ts';
import type { Untyped } from '../types/user.ts';
import type { ConformContext, OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Entra's ID token that the provider reads. */
export interface MicrosoftEntraIDProfile {
  sub: string;
  /** The tenant. */
  tid: string;
  name: string;
  email?: string;
  /** Optional claim: whether the domain of the address is verified. */
  xms_edov?: boolean | string | number;
  /** The photo from Microsoft Graph as a data URL. */
  picture?: string | null;
  [claim: string]: Untyped;
}

/** Options of {@link MicrosoftEntraID}. */
export type MicrosoftEntraIDOptions<P> = OIDCUserConfig<P> & {
  /** Width and height of the photo in pixels. Default: 48. */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | undefined;
  /** Sets `issuer` to the issuer of this tenant. Default: `common`. */
  tenantId?: string | undefined;
};

/** Id of the tenant of personal accounts. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
/** Maximum size of a photo in bytes. A larger photo does not fit into a session cookie. */
const MAX_PHOTO_SIZE = 32_768;

/**
 * Microsoft Entra ID, formerly Azure Active Directory: work and school accounts, and personal ones.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/claims-validation
 * @see https://learn.microsoft.com/en-us/graph/api/profilephoto-get
 * @reviewed 2026-11-21
 * @email depends For one tenant, and for personal accounts, it counts as verified. If several tenants may sign in, it
 * needs the claim `xms_edov`.
 * @register At https://entra.microsoft.com, "App registrations": Register an application. Choose which accounts it supports, and add the callback URL for the platform "Web". Create the secret under "Certificates & secrets".
 * @issuer The issuer decides who may sign in. `https://login.microsoftonline.com/<tenant>/v2.0`: users of one tenant,
 * by its id or domain. `…/organizations/v2.0`: users of any tenant. `…/consumers/v2.0`: personal accounts.
 * `…/common/v2.0` (the default): all accounts.
 * @option `profilePhotoSize` Width and height of the photo in pixels: 48 (default), 64, 96, 120, 240, 360, 432, 504 or
 * 648.
 * @quirk If several tenants may sign in, the administrator of a tenant can enter any address for a user. The address
 * counts as verified only with the optional claim `xms_edov`, which you add under "Token configuration". Users are
 * created with an unverified address, but never linked by it. If another provider mails links or sets
 * `allowDangerousEmailAccountLinking`, such a sign-in is refused, unless you set `unverifiedEmail: 'allow'`.
 * @quirk The photo needs the scope `User.Read`. A photo of more than 32 KiB is left out.
 */
export default function MicrosoftEntraID<P extends MicrosoftEntraIDProfile = MicrosoftEntraIDProfile>(
  config: MicrosoftEntraIDOptions<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'microsoft-entra-id',
    name: 'Microsoft Entra ID',
    type: 'oidc',
    issuer: `https://login.microsoftonline.com/${config.tenantId ?? 'common'}/v2.0`,
    authorization: { params: { scope: 'openid profile email User.Read' } },
    // The issuer in the metadata of `common` and `organizations` is the pattern `…/{tenantid}/v2.0`.
    offlineAccess: { scope: 'offline_access' },
    apis: ['https://graph.microsoft.com'],
    tokenIssuer: (issuer, { tid }) => issuer.replace('{tenantid}', String(tid)),
    async conformProfile(profile, context) {
      const { issuer, wellKnown = issuer } = context.provider;
      const tenant = tenantIn(issuer);
      if (ANY.test(tenantIn(wellKnown)) && !ANY.test(tenant) && profile.tid !== tenant) {
        throw new AccessDenied('the account must belong to the tenant in the issuer');
      }
      if (tenant === 'organizations' && profile.tid === PERSONAL) {
        throw new AccessDenied(
          'the account must belong to an organization, as the issuer requires; it is a personal account',
        );
      }
      const email_verified = isTrue(profile.xms_edov) ? true : undefined;
      return { ...profile, email_verified, picture: await photoOf(context, config.profilePhotoSize ?? 48) };
    },
    emailVerification({ tid, xms_edov }, { provider }) {
      if (xms_edov !== undefined && xms_edov !== null) return isTrue(xms_edov) ? 'claim' : 'never';
      const isOfAnyTenant = ANY.test(tenantIn(provider.issuer)) && tid !== PERSONAL;
      return isOfAnyTenant ? 'never' : 'always';
    },
    profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture ?? null }),
    style: { label: 'Microsoft', brandColor: '#0072c6', icon: mark },
    options: config,
  };
}

const ANY = /^(common|organizations)$/;

function isTrue(claim: unknown): boolean {
  return /^(true|1)$/i.test(String(claim));
}

/** Returns the tenant in a URL of Microsoft, in lower case. Microsoft ignores the case. */
function tenantIn(address: string | undefined): string {
  const tenant = new URL(address ?? '').pathname.split('/').find(Boolean)?.toLowerCase() ?? '';
  return tenant === 'consumers' ? PERSONAL : tenant;
}

/** Returns `null` on any failure, so that a missing photo does not prevent the sign-in. */
async function photoOf({ tokens, provider }: ConformContext, size: number): Promise<string | null> {
  try {
    const answer = await provider.fetch(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, {
      headers: { authorization: `Bearer ${tokens.access_token}`, 'user-agent': 'latchkey' },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const type = /^image\/(jpeg|png|gif|webp)/.exec(answer.headers.get('content-type') ?? '')?.[0];
    if (!answer.ok || !type || bytes.length > MAX_PHOTO_SIZE) return null;
    return `data:${type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
  } catch {
    return null;
  }
}
