export default defineEventHandler(async (event) => {
  const first = await auth(event);
  if (first?.user) first.user.name = 'Changed';
  return [first, await auth(event)];
});
