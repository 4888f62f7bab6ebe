/** The application's base path; '' for the root. Callback URLs and links to built-in pages contain it. */
export const base: string = process.env['BASE_PATH'] ?? '';
