/** Path of the site that the application has, '' for all of it: Next's redirects and links know it, addresses for sign-in name it. */
export const base: string = process.env['BASE_PATH'] ?? '';
