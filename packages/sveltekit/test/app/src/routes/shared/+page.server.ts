/** A page for shared caches, with a request of its own that reads the session. */
export async function load({ fetch, setHeaders }) {
  setHeaders({ 'cache-control': 'public, max-age=60' });
  await fetch('/shop/sub');
}
