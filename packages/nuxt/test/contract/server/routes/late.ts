import { callFailure, waitForSuite } from '@latchkey/testing/binding-application';

export default defineEventHandler((event) =>
  textStream(async (write) => {
    write('start\n');
    await waitForSuite(getQuery(event)['wait']);
    write(`${(await auth(event))?.user?.name}\n`);
    if (getQuery(event)['call'] !== 'sign-out') return;
    const outcome = await signOut(event, { redirect: false }).then(
      () => 'done',
      (error) => callFailure(error).error,
    );
    write(`${outcome}\n`);
  }),
);
