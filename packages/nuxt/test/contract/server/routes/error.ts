export default defineEventHandler(async (event) => {
  await auth(event);
  throw new Error('a secret detail of the application');
});
