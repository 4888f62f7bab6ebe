export default defineEventHandler(async (event) => ({ user: (await auth(event))?.user?.name ?? null }));
