/** Milliseconds until a mail that was sent must be here. */
const PATIENCE = 10_000;

/** The mails of all processes of the application. */
export class Outbox {
  readonly #links = new Map<string, string[]>();

  /** Takes what a process says: `{ to, url }`. */
  readonly receive = (said: unknown): void => {
    const { to, url } = said as { to: string; url: string };
    this.#links.set(to, [...(this.#links.get(to) ?? []), url]);
  };

  /** Removes the mails to an address. */
  clear(to: string): void {
    this.#links.delete(to);
  }

  /** Removes the next mail to an address and returns its link. `undefined` if none arrives. */
  async next(to: string): Promise<string | undefined> {
    for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
      const link = this.#links.get(to)?.shift();
      if (link !== undefined) return link;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return undefined;
  }
}
