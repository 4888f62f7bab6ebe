/**
 * The application's base path; '' for the root. Next.js adds it to redirects and links. Callback URLs must contain it.
 */
export const base: string = process.env['BASE_PATH'] ?? '';
