import { waitForSuite } from '@latchkey/testing/binding-application';

export default defineEventHandler(async (event) => {
  const session = await auth(event);
  await waitForSuite(getQuery(event)['wait']);
  return json(event, session);
});
