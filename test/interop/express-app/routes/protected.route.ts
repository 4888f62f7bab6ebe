// @ts-nocheck
import { Router } from 'express';
import { authenticatedUser } from '../middleware/auth.middleware.ts';

export const router = Router();

router.use(authenticatedUser); // All routes defined after this will be protected

router.get('/', (_req, res) => {
  res.send('protected');
});
