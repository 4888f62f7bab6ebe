/** The session is asked for when the answer is on its way already, and through a request of the page's own. */
export async function load({ locals, fetch }) {
  const asked = await (await fetch('/shop/sub')).json();
  const late = new Promise((resolve) => setTimeout(resolve, 20)).then(() => locals.auth());
  return { asked, late };
}
