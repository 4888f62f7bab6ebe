import { type Html, html } from '../shared/html.ts';
import type { SessionMode } from './session-mode.ts';

/** The names of the modes. */
export const modeNames: Readonly<Record<SessionMode, string>> = { jwt: 'JWT sessions', database: 'database sessions' };

/** @param store The name of the store. */
const explanations = (store: string): Readonly<Record<SessionMode, string>> => ({
  jwt: `The cookie contains the encrypted session. ${store} has a record of it, which is read at most once in 10 seconds. Deleting the record signs the visitor out.`,
  database: `The cookie contains a random token, and the session is kept in ${store}. Deleting the session there signs the visitor out at once.`,
});

/** Returns the switch between the two modes, with an explanation of each. */
export function modeSwitch(mode: SessionMode, store: string): Html {
  return html`<section id="sessions">
<h2>Session storage</h2>
<form class="modes" action="/sessions" method="post">
${(['jwt', 'database'] as const).map((each) => modeCard(each, each === mode, store))}</form>
<p class="note soft">Each mode has its own cookie, so a visitor who switches back still has the earlier session.</p>
</section>`;
}

function modeCard(mode: SessionMode, isOn: boolean, store: string): Html {
  const name = modeNames[mode];
  return html`<div class="mode${isOn && ' on'}"><h3>${name}</h3><p class="soft">${explanations(store)[mode]}</p>
${isOn ? html`<p class="state">In use</p>` : html`<button class="button quiet" name="sessions" value="${mode}">Use ${name}</button>`}</div>
`;
}
