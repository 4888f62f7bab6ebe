/** How often the `load` functions were asked to look again. */
export const loads: string[] = [];

// As in `$app/navigation`: Kit 2 has the first only, before 2.27.
export async function invalidateAll(): Promise<void> {
  loads.push('invalidateAll');
}
