import type { BindingPage } from './subject.ts';

/** The members of results that the cases read. */
interface CallResult {
  readonly ok?: boolean;
  readonly error?: string;
  readonly url?: string | null;
}

/** Milliseconds after which a page that does not change is a failure. */
const PATIENCE = 20_000;

/** A tab that shows the page `/client` of the test application. */
export class ClientTab {
  readonly origin: string;
  readonly #page: BindingPage;

  private constructor(page: BindingPage, origin: string) {
    this.#page = page;
    this.origin = origin;
  }

  /** Opens the page, and waits until its functions are there. */
  static async open(page: BindingPage, origin: string): Promise<ClientTab> {
    const tab = new ClientTab(page, origin);
    await tab.goto('/client');
    await tab.#wait('globalThis.client !== undefined', 'the page has no `client`');
    await page.evaluate('void (document.isFirst = true)');
    return tab;
  }

  async goto(path: string): Promise<void> {
    await this.#page.goto(this.origin + path);
  }

  /**
   * Calls a function of `client`, and waits until it has returned, or until the page is another document.
   *
   * @returns The result; `undefined` if the page is another document.
   */
  async call(call: string): Promise<CallResult | undefined> {
    await this.#page.evaluate(`void (document.result = undefined, client.${call}.then(
      (result) => { document.result = { result }; },
      (error) => { document.result = { thrown: String(error) }; },
    ))`);
    await this.#wait('document.result !== undefined || !document.isFirst', `\`${call}\` does not return`);
    const { result, thrown } = ((await this.#evaluate('document.result')) ?? {}) as {
      result?: CallResult;
      thrown?: string;
    };
    if (thrown !== undefined) throw new Error(`\`${call}\` has thrown ${thrown}`);
    return result;
  }

  /** Waits until the heading has this text. */
  async shows(heading: string): Promise<void> {
    const text = `document.querySelector('h1')?.textContent.trim()`;
    await this.#wait(`${text} === ${JSON.stringify(heading)}`, `the page does not show "${heading}"`);
  }

  /** Waits until the page has this path and query. */
  async reaches(target: string): Promise<void> {
    const isThere = `location.pathname + location.search === ${JSON.stringify(target)}`;
    await this.#wait(`${isThere} && document.readyState === 'complete'`, `the page is not ${target}`);
  }

  /** Waits until the page has this path, and returns its address. */
  async reachesPath(path: string): Promise<URL> {
    const isThere = `location.pathname === ${JSON.stringify(path)}`;
    await this.#wait(`${isThere} && document.readyState === 'complete'`, `the page is not ${path}`);
    return new URL(this.#page.url());
  }

  /** Clicks the link to the guarded page. */
  async followLink(): Promise<void> {
    await this.#page.evaluate(`void document.querySelector('a[href^="/guarded"]').click()`);
  }

  /** Returns whether the document is that of {@link ClientTab.open}. */
  async isFirstDocument(): Promise<boolean> {
    return (await this.#evaluate('document.isFirst === true')) === true;
  }

  async has(selector: string): Promise<boolean> {
    return (await this.#evaluate(`document.querySelector(${JSON.stringify(selector)}) !== null`)) === true;
  }

  /** Returns the text of the page. */
  async text(): Promise<string> {
    return String(await this.#evaluate('document.body.innerText')).trim();
  }

  /** Returns the texts of the page and of all files that it has loaded. */
  async files(): Promise<string[]> {
    return (await this.#evaluate(`Promise.all(
      [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]
        .map(async (address) => (await fetch(address)).text()),
    )`)) as string[];
  }

  /** Waits until the script returns `true`. */
  async #wait(script: string, failure: string): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    while ((await this.#evaluate(script)) !== true) {
      if (Date.now() > deadline) throw new Error(`${failure}; its text is: ${(await this.text()).slice(0, 200)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Returns the value of a script; `undefined` while the page changes. */
  async #evaluate(script: string): Promise<unknown> {
    try {
      return await this.#page.evaluate(script);
    } catch {
      return undefined;
    }
  }
}
