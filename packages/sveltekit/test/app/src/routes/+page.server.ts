export async function load({ locals }) {
  const [first, second] = await Promise.all([locals.auth(), locals.getSession()]);
  return { session: first, same: JSON.stringify(first) === JSON.stringify(second) };
}
