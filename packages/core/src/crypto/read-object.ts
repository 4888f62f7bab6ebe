/** The object that a text is as JSON; `undefined` when it is none. */
export function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // Not to be told: the parser's message quotes what it has read.
    return undefined;
  }
}
