import { TokensUnavailable, type VisitorTokens } from '@latchkey/express';
import { html } from '../shared/html.ts';
import { page } from './layout.ts';

/**
 * Returns the page with the answer of an API of the provider. The access token is refreshed if it has expired.
 *
 * @param tokens The provider tokens of the visitor.
 * @param issuer Address of the provider. Its API is the userinfo endpoint.
 */
export async function profilePage(tokens: VisitorTokens, issuer: string): Promise<string> {
  try {
    const response = await tokens.fetch('demo', `${issuer}/me`);
    return profile(JSON.stringify(await response.json(), null, 2));
  } catch (error) {
    // The visitor has signed in another way: a new sign-in at the provider helps.
    if (!(error instanceof TokensUnavailable) || error.remedy !== 'sign-in') throw error;
    return profile(`There is no access token of the demo provider (${error.code}). Sign in there first.`);
  }
}

function profile(text: string): string {
  return page(
    'Your profile',
    html`<section class="card"><h1>Your profile at the provider</h1><pre>${text}</pre>
<p class="buttons"><a class="button quiet" href="/">Back to the start</a></p></section>`,
  );
}
