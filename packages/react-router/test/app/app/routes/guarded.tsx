import { Outlet } from 'react-router';
import { required } from '../auth.server.ts';

export const middleware = [required()];

export default function Guarded() {
  return <Outlet />;
}
