import type { Ceremony } from './provider.ts';

/** What is known when somebody asks for options. */
export interface CeremonyFacts {
  /** What was asked for; `undefined` when nothing was said. */
  readonly action: Ceremony | undefined;
  readonly signedIn: boolean;
  /** A user is named, whether or not there is one of that name. */
  readonly named: boolean;
}

/**
 * Which ceremony it will be; `undefined` when the question makes no sense. Whether the named user exists plays no part:
 * answers must not tell. Somebody who is signed out and says nothing signs in; a registration is always asked for by name.
 */
export function decideCeremony({ action, signedIn, named }: CeremonyFacts): Ceremony | undefined {
  switch (action) {
    case 'authenticate':
      return 'authenticate';
    case 'register':
      return signedIn || named ? 'register' : undefined;
    case undefined:
      return signedIn ? undefined : 'authenticate';
  }
}
