/**
 * Returns a function that imports a module of Next.
 *
 * Next's bundlers replace `next/headers` by the module that shares the request with Next. In edge functions,
 * `next/headers.js` would be another copy, which does not know the request. Node.js finds only the name with `.js`, and
 * looks for the other one in the file system at each import. So once the import with `.js` has worked alone, the other
 * is not tried again. The module itself is not kept: the runtime does that.
 *
 * @param bundled Imports the name without `.js`.
 * @param unbundled Imports the name with `.js`, hidden from bundlers.
 */
export function nextModule<M>(bundled: () => Promise<M>, unbundled: () => Promise<M>): () => Promise<M> {
  let isUnbundled = false;
  return async () => {
    if (isUnbundled) return unbundled();
    try {
      return await bundled();
    } catch {
      const module = await unbundled();
      isUnbundled = true;
      return module;
    }
  };
}
