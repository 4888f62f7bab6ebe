import { AccessDenied } from '../errors.ts';
import type { Foreign } from '../types.ts';
import type { ConformContext, OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Entra's ID token that are read here. */
export interface MicrosoftEntraIDProfile {
  sub: string;
  /** The tenant. */
  tid: string;
  name: string;
  email?: string;
  /** An optional claim: has the domain of the address been verified? */
  xms_edov?: boolean | string | number;
  /** The photo from Microsoft Graph as a data URL. */
  picture?: string | null;
  [claim: string]: Foreign;
}

/** Options of {@link MicrosoftEntraID}. */
export type MicrosoftEntraIDOptions<P> = OIDCUserConfig<P> & {
  /** Pixels of the photo. Default: 48. */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | undefined;
  /** Short for the `issuer` of that tenant; older versions had it. */
  tenantId?: string | undefined;
};

/** The tenant of personal accounts. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
/** Bytes of a photo at most; more would not fit into a session cookie. */
const LARGEST = 32_768;

/**
 * Microsoft Entra ID, formerly Azure Active Directory: work and school accounts, and personal ones.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/claims-validation
 * @see https://learn.microsoft.com/en-us/graph/api/profilephoto-get
 * @reviewed 2026-11-21
 * @register At https://entra.microsoft.com, "App registrations": register an application, choose which accounts it supports, and
 * add the callback address for the platform "Web". The secret is made under "Certificates & secrets".
 * @issuer Who may sign in: `https://login.microsoftonline.com/<tenant>/v2.0` the users of one tenant (its id or domain),
 * `…/organizations/v2.0` those of any, `…/consumers/v2.0` personal accounts, `…/common/v2.0` everybody. Default: everybody.
 * @option `profilePhotoSize` Pixels of the photo: 48 (default), 64, 96, 120, 240, 360, 432, 504 or 648.
 * @quirk Where more than one tenant may sign in, an address is whatever its tenant's administrator has written: it counts as
 * verified only with the optional claim `xms_edov` (registered under "Token configuration"). Without it, users are created under
 * it and never linked by it; `unverifiedEmail` says
 * otherwise, and has to (`'allow'`) where mailed links or another provider would open that user by its address.
 * @quirk The photo needs the scope `User.Read`. One of more than 32 KiB is left out.
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
    // The metadata of `common` and `organizations` name the pattern `…/{tenantid}/v2.0`.
    tokenIssuer: (issuer, { tid }) => issuer.replace('{tenantid}', String(tid)),
    async conformProfile(profile, context) {
      const { issuer, wellKnown = issuer } = context.provider;
      const tenant = tenantIn(issuer);
      if (ANY.test(tenantIn(wellKnown)) && !ANY.test(tenant) && profile.tid !== tenant) {
        throw new AccessDenied('the account is of another tenant than the issuer names');
      }
      if (tenant === 'organizations' && profile.tid === PERSONAL) {
        throw new AccessDenied('the account is a personal one, and the issuer asks for those of organizations');
      }
      const anyTenant = ANY.test(tenant) && profile.tid !== PERSONAL;
      const email_verified = profile.xms_edov ?? (anyTenant ? false : undefined);
      return { ...profile, email_verified, picture: await photoOf(context, config.profilePhotoSize ?? 48) };
    },
    unverifiedEmail: 'unshared',
    profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture ?? null }),
    style: { brandColor: '#0072c6' },
    options: config,
  };
}

const ANY = /^(common|organizations)$/;

/** The tenant in an address of Microsoft's, which passes over letter case. */
function tenantIn(address: string | undefined): string {
  const tenant = new URL(address ?? '').pathname.split('/').find(Boolean)?.toLowerCase() ?? '';
  return tenant === 'consumers' ? PERSONAL : tenant;
}

/** Nobody is kept out for want of a photo. */
async function photoOf({ tokens, provider }: ConformContext, size: number): Promise<string | null> {
  try {
    const answer = await provider.fetch(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, {
      headers: { authorization: `Bearer ${tokens.access_token}`, 'user-agent': 'latchkey' },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const type = /^image\/(jpeg|png|gif|webp)/.exec(answer.headers.get('content-type') ?? '')?.[0];
    if (!answer.ok || !type || bytes.length > LARGEST) return null;
    return `data:${type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
  } catch {
    return null;
  }
}
