/** Something that a person has to put right; the message says what and how. */
export class Problem extends Error {}

/**
 * Runs a script's main function and exits with the code that it gives. A {@link Problem} is one line, not a stack.
 *
 * @param {() => Promise<number>} main
 */
export async function exitWith(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Problem ? `latchkey: ${error.message}` : error);
    process.exitCode = 1;
  }
}
