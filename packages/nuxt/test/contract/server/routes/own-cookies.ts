export default defineEventHandler(async (event) => {
  setCookie(event, 'theme', 'dark');
  const session = await auth(event);
  setCookie(event, 'lang', 'en');
  const { clear } = getQuery(event);
  if (clear) deleteCookie(event, String(clear));
  return json(event, session);
});
