import { SessionProvider, type SessionProviderProps, useSession } from '@latchkey/next/react';
import { createElement as h, type ReactElement, StrictMode } from 'react';

/** The content of the page. A test changes it as a visitor's clicks would. */
export interface Scene {
  /** Without a provider nothing is mounted. */
  provider?: SessionProviderProps | undefined;
  /** `Member` is for those who are signed in. */
  page?: 'Home' | 'About' | 'Member' | undefined;
  strict?: boolean | undefined;
  /** Whether `Member` passes `onUnauthenticated` to `useSession`. */
  onUnauthenticated?: boolean | undefined;
}

/** All texts that `Who` has shown, in order. */
export const history: string[] = [];
/** Each `update` that there was. */
export const updates: Set<unknown> = new Set();

function Who(): ReactElement {
  const { data, status, update } = useSession();
  updates.add(update);
  const text = `${status}: ${data === undefined ? '?' : (data?.user?.name ?? 'no user')}`;
  if (history.at(-1) !== text) history.push(text);
  return h('p', { id: 'who' }, text);
}

function Member({ calls }: { calls: boolean }): ReactElement {
  const onUnauthenticated = calls ? () => void history.push('unauthenticated was called') : undefined;
  const { data, status } = useSession({ required: true, onUnauthenticated });
  return h('p', { id: 'member' }, status === 'authenticated' ? `secret of ${data.user?.name}` : 'wait');
}

function Page({ page, onUnauthenticated = false }: Scene): ReactElement {
  return h(
    'main',
    { key: page },
    h('h1', null, page),
    h(Who),
    page === 'Member' && h(Member, { calls: onUnauthenticated }),
  );
}

/** The page's content. */
export function App(scene: Scene): ReactElement | null {
  const { provider, strict, page = 'Home' } = scene;
  if (!provider) return null;
  const content = h(SessionProvider, provider, h(Page, { ...scene, page }));
  return strict ? h(StrictMode, null, content) : content;
}
