import { tokens } from '../../auth.ts';

export async function load(event) {
  try {
    return { token: (await tokens(event).get('fake')).accessToken };
  } catch (error) {
    return { code: error.code };
  }
}
