/**
 * The script of the built-in pages, which work without it. It takes its texts from `data-` attributes:
 *
 * - It disables the button that was pressed, until the page is shown again.
 * - A password field with `data-show` and `data-hide`, two texts, gets a button that shows the password.
 * - `<span data-seconds="42">` counts down: "in 42 seconds", in the language of the page. Until then, the buttons of
 *   its form are disabled. Then its paragraph is hidden.
 *
 * `npm run page-script` builds the script, which is served as `asset/page.js`.
 */

const pressed = new Set<HTMLButtonElement>();

addEventListener('submit', ({ submitter, defaultPrevented }) => {
  if (defaultPrevented || !(submitter instanceof HTMLButtonElement)) return;
  pressed.add(submitter);
  submitter.ariaBusy = 'true';
  // Later, because the browser does not send the value of a disabled button.
  setTimeout(() => {
    submitter.disabled = true;
  });
});

// The visitor has returned by the back button, and the page is as it was.
addEventListener('pageshow', () => {
  for (const button of pressed) {
    button.disabled = false;
    button.ariaBusy = null;
  }
  pressed.clear();
});

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-show]')) {
  const button = document.createElement('button');
  const show = (isShown: boolean): void => {
    field.type = isShown ? 'text' : 'password';
    button.textContent = (isShown ? field.dataset['hide'] : field.dataset['show']) ?? '';
  };
  button.type = 'button';
  button.className = 'reveal';
  button.addEventListener('click', () => show(field.type === 'password'));
  // The browser would store a field of type `text` with the values of the form.
  field.form?.addEventListener('submit', () => show(false));
  field.after(button);
  show(false);
}

const relativeTime = new Intl.RelativeTimeFormat(document.documentElement.lang);

for (const clock of document.querySelectorAll<HTMLElement>('[data-seconds]')) {
  const end = performance.now() + Number(clock.dataset['seconds']) * 1000;
  const buttons = clock.closest('form')?.querySelectorAll('button') ?? [];
  const paragraph = clock.closest('p');
  const tick = (): void => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    clock.textContent =
      seconds < 120 ? relativeTime.format(seconds, 'second') : relativeTime.format(Math.ceil(seconds / 60), 'minute');
    for (const button of buttons) button.disabled = seconds > 0;
    if (paragraph) paragraph.hidden = seconds === 0;
    if (seconds > 0) setTimeout(tick, 500);
  };
  tick();
}
