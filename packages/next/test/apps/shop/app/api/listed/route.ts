export const dynamic = 'force-dynamic';

export function GET(): Response {
  const headers = { 'Cache-Control': 'public, s-maxage=60', 'Vercel-CDN-Cache-Control': 'max-age=60' };
  return Response.json(['the same for all visitors'], { headers });
}
