export default defineEventHandler(async (event) => {
  const { redirect } = await signOut(event, { redirectTo: '/' });
  return sendRedirect(event, redirect);
});
