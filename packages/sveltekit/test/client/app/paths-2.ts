/** As `$app/paths` of Kit 2. */
export const base = '/shop';
