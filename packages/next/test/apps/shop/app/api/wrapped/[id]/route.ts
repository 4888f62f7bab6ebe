import { auth, signOut } from '../../../../auth.ts';

export const GET = auth(async (request, { params }: { params: Promise<{ id: string }> }) => {
  const { id } = await params;
  return Response.json({ id, session: request.auth, url: request.nextUrl.href });
});

export const POST = auth(async (request) => {
  const { redirect } = await signOut({ redirect: false, redirectTo: '/still' });
  return Response.json({ left: request.auth?.user?.name, redirect, sent: await request.text() });
});
