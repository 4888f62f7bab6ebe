/** As `$app/paths` of Kit 3, in the browser. */
export const resolve = (path: string): string => `/shop${path}`;
