/** The part of a schema library that the application needs. */
export const z = {
  login(input: Partial<Record<string, unknown>>): { email: string; password: string } {
    const { email, password } = input;
    return { email: typeof email === 'string' ? email : '', password: typeof password === 'string' ? password : '' };
  },
};
