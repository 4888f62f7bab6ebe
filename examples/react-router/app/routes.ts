import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('private', 'routes/private.tsx'),
  route('auth/*', 'routes/auth.$.ts'),
  route('sign-out', 'routes/sign-out.ts'),
  route('update', 'routes/update.ts'),
  route('favicon.ico', 'routes/favicon.ts'),
] satisfies RouteConfig;
