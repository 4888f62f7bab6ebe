import type { RequestHandler } from '@builder.io/qwik-city';

export const onGet: RequestHandler = ({ sharedMap, json }) => {
  const session = sharedMap.get('session');
  if (session) json(200, { email: session.user?.email });
  else json(401, {});
};
