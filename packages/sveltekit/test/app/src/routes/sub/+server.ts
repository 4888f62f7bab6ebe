/** Asks who is there, as a page's `fetch` or another site's script would. */
export async function GET({ locals }) {
  return Response.json(await locals.auth());
}
