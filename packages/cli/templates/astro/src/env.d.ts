/// <reference types="astro/client" />

type AuthLocals = import('@latchkey/astro').AstroAuthLocals;

declare namespace App {
  interface Locals extends AuthLocals {}
}
