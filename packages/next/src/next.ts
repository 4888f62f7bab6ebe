throw new ReferenceError(
  '@latchkey/next/next does not exist any more. Call auth() of your configuration instead of getServerSession(): const { auth } = NextAuth(config)',
);

export {};
