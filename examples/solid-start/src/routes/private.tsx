import { createAsync } from '@solidjs/router';
import { readName } from '../visitor.ts';

export default function Private() {
  const name = createAsync(() => readName());
  return (
    <main class="wide">
      <div class="card">
        <h1>The private page</h1>
        <p class="message">
          You are <strong>{name()}</strong>.
        </p>
        <div class="choices">
          <a class="button quiet" href="/">
            Back to the start
          </a>
        </div>
      </div>
    </main>
  );
}
