import { type Cases, type Outcome, runCases, type Sealed, type World } from './case.ts';
import { credentials } from './credentials.ts';
import { email } from './email.ts';
import { environment } from './environment.ts';
import { hostile } from './hostile.ts';
import { oauth, oidc } from './oauth.ts';
import { pages } from './pages.ts';
import { passkey } from './passkey.ts';
import { sealForOthers, tokens, tokensOf } from './tokens.ts';

/** The flows that need only a web-standard runtime. `environment` is first, because it checks the unused library. */
const everywhere: Cases = {
  ...environment,
  ...pages,
  ...credentials,
  ...oauth,
  ...oidc,
  ...email,
  ...passkey,
  ...hostile,
  ...tokens,
};

/** The report of a runtime, one line of JSON. */
export interface Report extends Outcome {
  /** Nothing in the second round. */
  readonly sealed?: Sealed | undefined;
}

/**
 * First round: all flows, and something sealed for the others. Second round: what the others have sealed.
 *
 * @param by Name of the runtime.
 * @param more Flows that not every runtime can run.
 */
export async function report(by: string, world: World, more: Cases = {}): Promise<Report> {
  if (world.fromOthers.length > 0) return runCases(tokensOf(world.fromOthers), world);
  const sealed: Sealed[] = [];
  const outcome = await runCases(
    {
      ...everywhere,
      ...more,
      'seals something for the others': async () => void sealed.push(await sealForOthers(by)),
    },
    world,
  );
  return { ...outcome, sealed: sealed[0] };
}
