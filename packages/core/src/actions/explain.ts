import type { Context, Reply } from '../context.ts';
import { causes, shownFacts } from '../explain/causes.ts';
import { recentRefusals } from '../explain/recent.ts';
import { readWithoutEffects } from '../explain/session.ts';
import { showsDetails } from '../guards/details.ts';
import { explainView } from '../views/explain.ts';
import { pageReply } from '../wire/page.ts';
import { badRequest } from './replies.ts';

/**
 * `GET explain`: the session of this browser, and the last refusals of this process. In development only: otherwise the
 * path is answered as an unknown one.
 */
export async function explainPage(context: Context): Promise<Reply> {
  if (!showsDetails(context)) return badRequest();
  const { settings } = context;
  const { noSession, steps } = await readWithoutEffects(context, false);
  const page = explainView({
    theme: settings.pageTheme,
    session: {
      steps,
      ...(noSession && { ...causeOf(noSession.cause), facts: shownFacts(noSession.cause, noSession.facts) }),
    },
    refusals: recentRefusals().map(({ at, action, type, cause, facts }) => ({
      at: at.toISOString(),
      action,
      type,
      facts,
      ...(cause && causeOf(cause)),
    })),
  });
  return { ...(await pageReply({ ...page, unlisted: true })), bare: true };
}

function causeOf(cause: keyof typeof causes): { cause: string; text: string; remedy: string } {
  const { text, remedy } = causes[cause];
  return { cause, text, remedy };
}
