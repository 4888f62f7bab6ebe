import type { NextApiRequest, NextApiResponse } from 'next';
import { auth } from '../../../auth.ts';
import { faultOf } from '../../../faults.ts';

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const { fault } = req.query;
  const asked = fault === 'none' ? { auth } : faultOf(fault);
  res.json({ session: await asked.auth(req, res) });
}
