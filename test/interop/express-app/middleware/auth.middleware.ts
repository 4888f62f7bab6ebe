// @ts-nocheck
import { getSession } from '@auth/express';
import { authConfig } from '../auth.config.ts';

export async function authSession(req, res, next) {
  res.locals.session = await getSession(req, authConfig);
  next();
}

export async function authenticatedUser(req, res, next) {
  const session = res.locals.session ?? (await getSession(req, authConfig));
  if (!session?.user) {
    res.redirect('/login');
  } else {
    next();
  }
}
