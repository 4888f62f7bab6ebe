import { NextResponse } from 'next/server';
import { auth } from '@/auth';

export const GET = auth((request) => {
  if (!request.auth) return NextResponse.json({ message: 'Not authenticated' }, { status: 401 });
  return NextResponse.json({ who: request.auth.user?.email, role: request.auth.user?.role });
});
