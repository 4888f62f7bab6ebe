import type { H3Event } from 'h3';

/** h3 1 answers 204 to `null`. */
export function json(event: H3Event, body: unknown): Promise<void> {
  return send(event, JSON.stringify(body), 'application/json');
}
