/** A request that cannot be understood; its status is 400 or 413. */
export class BadRequest extends Error {
  readonly status: 400 | 413;

  constructor(message: string, status: 400 | 413 = 400) {
    super(message);
    this.status = status;
  }
}
