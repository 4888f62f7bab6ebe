import { Router } from 'express';
import { answerInbox } from '../shared/inbox.ts';
import type { ShownMail } from '../shared/inbox-page.ts';
import { site } from './layout.ts';

/** Serves a page with all received mails, and the HTML of each mail by its number, for a frame in that page. */
export function inbox(mails: readonly ShownMail[]): Router {
  return Router().get('/{:number}', ({ params }, response, next) => {
    const answer = answerInbox(site, mails, params['number']);
    if (answer) response.set(answer.headers).send(answer.body);
    else next();
  });
}
