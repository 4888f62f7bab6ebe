import { Router } from 'express';
import { framedMail, inboxPage, mailPolicy, type ShownMail } from './inbox-page.ts';

/** The mails received: a page with all of them, and each one's HTML by its number, for a frame in that page. */
export function inbox(mails: readonly ShownMail[]): Router {
  const router = Router();
  router.get('/', (_request, response) => void response.send(inboxPage(mails)));
  router.get('/:number', ({ params }, response, next) => {
    const mail = mails[Number(params.number) - 1];
    if (!mail?.html) return next();
    response.set({ 'content-security-policy': mailPolicy, 'referrer-policy': 'no-referrer' }).send(framedMail(mail));
  });
  return router;
}
