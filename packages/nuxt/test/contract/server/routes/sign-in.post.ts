export default callRoute(async (event, { provider, ...options }) => ({ url: await signIn(event, provider, options) }));
