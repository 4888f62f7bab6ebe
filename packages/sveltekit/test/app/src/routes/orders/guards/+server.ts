import { isGuarded } from '@latchkey/sveltekit/guard-remote';
import { query } from '../../../lib/server/guarded.ts';
import * as orders from '../orders.remote.ts';

/** The exports without a guard, and the errors of wrong definitions. */
export function GET(): Response {
  const open = Object.entries(orders).flatMap(([name, fn]) => (isGuarded(fn) ? [] : [name]));
  const wrong = [[{}, () => 1], [], ['unchecked'], [undefined, () => 1]].map((given) => {
    try {
      return (query as (...given: unknown[]) => unknown)(...given);
    } catch (error) {
      return String(error);
    }
  });
  return Response.json({ open, wrong, others: [isGuarded(null), isGuarded('query'), isGuarded(() => 1)] });
}
