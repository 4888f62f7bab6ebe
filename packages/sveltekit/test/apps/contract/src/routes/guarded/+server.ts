/** A page as text, so that it answers all methods. */
export async function fallback({ locals }) {
  const session = await locals.auth();
  const headers = { 'content-type': 'text/html' };
  return new Response(`<h1>Guarded page of ${session?.user?.name}</h1>`, { headers });
}
export const GET = fallback;
