export const fallback = async ({ locals }) => Response.json({ user: (await locals.auth())?.user?.name });
export const GET = fallback;
