/** For show on every page. What guards a page stands in the page's own file, see `private`. */
export async function load({ locals }) {
  return { session: await locals.auth(), inbox: process.env['INBOX_URL'] };
}
