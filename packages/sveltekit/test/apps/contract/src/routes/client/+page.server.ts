/** The visitor's name, which the page shows. */
export async function load({ locals }) {
  return { name: String((await locals.auth())?.user?.name) };
}
