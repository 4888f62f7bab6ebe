import NextAuth from '@latchkey/next';

export const { auth } = NextAuth({ providers: [] });
