import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  route('auth/*', 'routes/auth.ts'),
  route('session', 'routes/session.ts'),
  route('guarded', 'routes/guarded.tsx', [
    index('routes/guarded-page.tsx'),
    route('inner', 'routes/guarded-page.tsx', { id: 'inner' }),
  ]),
  route('api/guarded', 'routes/api-guarded.ts'),
  route('sign-in', 'routes/sign-in.ts'),
  route('sign-out', 'routes/sign-out.ts'),
  route('update', 'routes/update.ts'),
  route('cached', 'routes/cached.ts'),
  route('streamed', 'routes/streamed.ts'),
  route('late', 'routes/late.ts'),
  route('double', 'routes/double.ts'),
  route('own-cookies', 'routes/own-cookies.ts'),
  route('client', 'routes/client.tsx'),
  route('optional', 'routes/optional.tsx'),
  route('error', 'routes/error.tsx'),
  // The suite chooses base paths at the start. An application has one, which its routes name.
  route('*', 'routes/elsewhere.ts'),
] satisfies RouteConfig;
