import type { NextApiRequest, NextApiResponse } from 'next';

/** An answer for all visitors, as the guides of Next.js show it. */
export default function handler(_request: NextApiRequest, response: NextApiResponse): void {
  response.setHeader('Cache-Control', 'public, s-maxage=60');
  response.json(['the same for all visitors']);
}
