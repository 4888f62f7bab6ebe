import type { RoutedRequest } from '../context.ts';
import { AuthError } from '../errors.ts';
import { isExpected, refusalOf } from '../explain/refusal.ts';
import { showsDetails } from '../guards/details.ts';
import { redact } from '../log/redact.ts';
import { isCanceled } from './failure-params.ts';

/**
 * Logs a failed request: one line about what visitors do, everything about faults. In development, the page `explain`
 * lists both.
 */
export async function logFailure(request: RoutedRequest, error: Error): Promise<void> {
  const { logger } = request.settings;
  if (!(error instanceof AuthError)) return logger.error(error);
  const refusal = refusalOf(error);
  if (refusal && !Object.isFrozen(error)) error.refusal = refusal;
  if (showsDetails(request)) (await import('../explain/recent.ts')).rememberRefusal(request.action, error);
  if (isCanceled(request, error)) logger.canceled(error, () => redact({ ...error.cause }));
  else if (isExpected(error)) logger.info(error);
  else logger.error(error);
}
