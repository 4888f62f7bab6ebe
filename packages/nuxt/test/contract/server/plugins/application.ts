import { BINDING_HEADER, bindingSetup } from '@latchkey/testing/binding-application';

/** The work of the application before the binding: the hook runs before all middleware. */
export default defineNitroPlugin(({ hooks }) => {
  const { parseBodies } = bindingSetup();
  hooks.hook('request', async (event) => {
    setResponseHeader(event, BINDING_HEADER, 'contract');
    if (event.headers.has('x-visit')) setCookie(event, 'visited', 'yes');
    if (parseBodies && event.method === 'POST') await readBody(event);
  });
  hooks.hook('error', (_error, { event }) => {
    if (event) setResponseHeader(event, 'x-error-handler', 'application');
  });
});
