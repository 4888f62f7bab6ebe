import '@latchkey/core/style.css';
import '../../shared/app.css';
import { createAsync, Router } from '@solidjs/router';
import { FileRoutes } from '@solidjs/start/router';
import { Suspense } from 'solid-js';
import { inboxUrl } from './visitor.ts';

/** The frame of all pages. */
export default function App() {
  return (
    <Router
      root={(props) => {
        const inbox = createAsync(() => inboxUrl());
        return (
          <Suspense>
            <header class="site">
              <a href="/" class="brand">
                SolidStart example
              </a>
              <a href={inbox()} rel="external">
                Inbox
              </a>
            </header>
            <div class="page">{props.children}</div>
          </Suspense>
        );
      }}
    >
      <FileRoutes />
    </Router>
  );
}
