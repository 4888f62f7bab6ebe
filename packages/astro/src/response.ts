import { applyToHead, headWriter, type Visit } from '@latchkey/core/binding';
import type { APIContext } from 'astro';

/**
 * Returns the response with the cookies of the visit. Astro adds the cookies of `Astro.cookies` later, and they count:
 * the application may have cleared the session cookie itself.
 */
export function completeAnswer(response: Response, visit: Visit, { cookies, cache }: APIContext): Response {
  // Astro's own cache would show the page to other visitors.
  if (visit.isPersonal && cache?.enabled) cache.set(false);
  const own = [...cookies.headers()].map((line) => ['set-cookie', line] as const);
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  applyToHead({ ...headWriter(headers), headers: [...headers, ...own] }, visit);
  return new Response(body, { status, statusText, headers });
}
