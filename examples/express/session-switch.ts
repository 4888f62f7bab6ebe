import { type Html, html } from '../shared/html.ts';
import type { SessionMode } from './session-mode.ts';

/** What the modes are called. */
export const modeNames: Readonly<Record<SessionMode, string>> = { jwt: 'JWT sessions', database: 'database sessions' };

/** @param store Its name. */
const explanations = (store: string): Readonly<Record<SessionMode, string>> => ({
  jwt: 'The cookie holds the session itself, encrypted, and no database is asked. It ends when it expires, or when the visitor signs out.',
  database: `The cookie holds a random token, and the session is kept in ${store}. Whoever deletes it there signs the visitor out at once.`,
});

/** The switch between the two modes, and what they are. */
export function modeSwitch(mode: SessionMode, store: string): Html {
  return html`<section id="sessions">
<h2>Where sessions are kept</h2>
<form class="modes" action="/sessions" method="post">
${(['jwt', 'database'] as const).map((each) => modeCard(each, each === mode, store))}</form>
<p class="note soft">Each has a cookie of its own: whoever switches back finds the session again.</p>
</section>`;
}

function modeCard(mode: SessionMode, isOn: boolean, store: string): Html {
  const name = modeNames[mode];
  return html`<div class="mode${isOn && ' on'}"><h3>${name}</h3><p class="soft">${explanations(store)[mode]}</p>
${isOn ? html`<p class="state">In use</p>` : html`<button class="button quiet" name="sessions" value="${mode}">Use ${name}</button>`}</div>
`;
}
