import { TokensUnavailable } from '@latchkey/sveltekit';
import { tokens } from '../../auth.ts';

export async function load(event) {
  try {
    return { token: (await tokens(event).get('fake')).accessToken };
  } catch (error) {
    if (error instanceof TokensUnavailable) return { code: error.code };
    throw error;
  }
}
