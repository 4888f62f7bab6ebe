export default defineEventHandler(async (event) => {
  const session = await auth(event);
  for (const [name, value] of Object.entries(getQuery(event))) setResponseHeader(event, name, String(value));
  setResponseHeader(event, 'etag', '"contract"');
  if (event.headers.get('if-none-match') !== '"contract"') return json(event, session);
  setResponseStatus(event, 304);
  return null;
});
