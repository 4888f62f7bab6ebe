import type { OAuthProvider } from '../../config/provider.ts';
import type { Context, Fields } from '../../context.ts';
import { openIfValid, seal } from '../../crypto/seal.ts';
import { InvalidCheck } from '../../errors.ts';

/** Query parameter of our own callback that carries the sealed fields. */
const PARAMETER = 'form_post';
const SALT = 'latchkey.form-post';
/** Seconds between the provider's POST and the browser's GET. */
const MAX_AGE = 120;
/** Characters of the fields; the sealed form has to fit into an address. */
const LONGEST = 5000;

/**
 * Where a provider's cross-site POST (OAuth 2.0 Form Post Response Mode) is sent on to: our own callback by GET, which
 * browsers give our Lax cookies, with the fields sealed and bound to the provider.
 *
 * @throws {InvalidCheck} when the fields are more than any provider sends.
 */
export async function formPostRedirect(context: Context, provider: OAuthProvider): Promise<string> {
  const { settings, now, body } = context;
  const fields = textFields(body);
  if (JSON.stringify(fields).length > LONGEST) {
    throw new InvalidCheck('the posted answer is too long', { provider: provider.id });
  }
  const payload = { fields, provider: provider.id };
  const sealed = await seal(payload, { secrets: settings.sealingSecrets, salt: SALT, maxAge: MAX_AGE, now });
  return `${provider.callbackUrl}?${new URLSearchParams({ [PARAMETER]: sealed })}`;
}

/** What was given twice stays so: it is refused where the answer is judged. */
function textFields(body: Fields): [name: string, value: string][] {
  return Object.entries(body).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (typeof one === 'string' ? [[name, one]] : [])),
  );
}

/**
 * The fields that were posted, out of the address.
 *
 * @throws {InvalidCheck} when they are missing, too old, or another provider's.
 */
export async function postedFields(context: Context, provider: OAuthProvider): Promise<URLSearchParams> {
  const { settings, now, query } = context;
  const opening = { secrets: settings.sealingSecrets, salt: SALT, now };
  const payload = await openIfValid(query[PARAMETER] ?? '', opening);
  if (payload?.provider !== provider.id) {
    throw new InvalidCheck('the callback carries no answer of this provider', {
      provider: provider.id,
      check: 'form_post',
    });
  }
  return new URLSearchParams(payload.fields as [string, string][]);
}
