import { auth } from '../../../auth.ts';

const answer = async () => Response.json({ user: (await auth())?.user?.name });

export { answer as DELETE, answer as GET, answer as POST };
