export default defineEventHandler(async (event) => {
  const fields = await readBody<{ name?: string }>(event);
  await update(event, { name: fields?.name });
  return sendRedirect(event, '/');
});
