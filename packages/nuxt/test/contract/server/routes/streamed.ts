import { waitForSuite } from '@latchkey/testing/binding-application';

export default defineEventHandler(async (event) => {
  const session = await auth(event);
  return textStream(async (write) => {
    write(`start ${session?.user?.name}\n`);
    await waitForSuite(getQuery(event)['wait']);
    write('end\n');
  });
});
