throw new ReferenceError(
  '@latchkey/next/middleware does not exist any more. In proxy.ts (middleware.ts before Next 16) write: export { auth as proxy } from "./auth"',
);

export {};
