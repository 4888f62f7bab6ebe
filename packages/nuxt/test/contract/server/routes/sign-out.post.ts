export default callRoute(async (event, options) => ({ url: (await signOut(event, options)).redirect }));
