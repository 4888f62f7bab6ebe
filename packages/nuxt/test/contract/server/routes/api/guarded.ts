export default defineEventHandler(async (event) => ({ user: (await requireSession(event))?.user?.name }));
