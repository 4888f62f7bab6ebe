/** A guard of all routes below a path, in a middleware of the application. */
export default defineEventHandler(async (event) => {
  if (event.path.startsWith('/api/private/')) await requireSession(event);
});
