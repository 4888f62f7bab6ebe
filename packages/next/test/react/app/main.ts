import {
  __NEXTAUTH,
  getCsrfToken,
  getProviders,
  getSession,
  signIn,
  signOut,
  type UpdateSession,
} from '@latchkey/next/react';
import { signIn as signInWithPasskey } from '@latchkey/next/webauthn';
import { createElement as h } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App, history, type Scene, updates } from './app.ts';

const scene: Scene = JSON.parse(document.querySelector('#scene')?.textContent || '{}');
const container = document.querySelector('#root') as HTMLElement;
const hydrates = container.hasChildNodes();
const app = {
  __NEXTAUTH,
  history,
  updates,
  getCsrfToken,
  getProviders,
  getSession,
  update: (data?: unknown) => ([...updates].at(-1) as UpdateSession)(data),
  signIn,
  signInWithPasskey,
  signOut,
  show: (change: Scene): void => root.render(h(App, Object.assign(scene, change))),
};
Object.assign(globalThis, { app });
const root = hydrates ? hydrateRoot(container, h(App, scene)) : createRoot(container);
if (!hydrates) root.render(h(App, scene));
