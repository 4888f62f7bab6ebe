import { type Application, application, variants } from './application.ts';
import { catchConsole, restoreConsole } from './log-book.ts';
import { proofsIn, providerIn } from './proofs.ts';
import { record, type Seed } from './recording.ts';

/** An application with what was recorded of it. */
export interface Scenery {
  readonly app: Application;
  readonly seeds: readonly Seed[];
  /** Whom a proof lets in, by its text. */
  readonly known: ReadonlyMap<string, string>;
}

/** All applications, each with every way through it; made once. */
export async function sceneries(): Promise<readonly Scenery[]> {
  kept.made ??= make();
  return kept.made;
}

const kept: { made?: Promise<readonly Scenery[]> } = {};

/** One after the other: they have the same visitors, and mails are counted. */
async function make(): Promise<readonly Scenery[]> {
  const made: Scenery[] = [];
  catchConsole();
  try {
    for (const variant of variants) made.push(await sceneryOf(application(variant)));
  } finally {
    restoreConsole();
  }
  return made;
}

async function sceneryOf(app: Application): Promise<Scenery> {
  const seeds = await record(app);
  app.log.clear();
  return { app, seeds, known: knownIn(app, seeds) };
}

/** Proofs by provider. */
const KINDS: Readonly<Record<string, string>> = {
  fake: 'oauth',
  plain: 'oauth',
  form: 'posted',
  mail: 'mail',
  careful: 'mail',
  credentials: 'password',
  passkey: 'passkey',
};

function knownIn(app: Application, seeds: readonly Seed[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const { sent, who, visitor } of seeds) {
    for (const { kind, text } of proofsIn(sent, app)) {
      if (kind === 'session') known.set(text, visitor);
      else if (who !== undefined && kind === KINDS[providerIn(sent)]) known.set(text, who);
    }
  }
  return known;
}
