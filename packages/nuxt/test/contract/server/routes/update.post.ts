export default callRoute(async (event, { name }) => ({ updated: await update(event, { name }) }));
