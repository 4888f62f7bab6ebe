/**
 * The scripts of the built-in pages, in the path `<base>/asset/<name>`. Other paths below `asset` belong to the
 * application: with `basePath: '/'`, a guard must not take its file `/asset/report.pdf` for an action.
 */
export const scriptNames = ['page.js', 'passkey.js'] as const;

/** A script of the built-in pages. */
export type ScriptName = (typeof scriptNames)[number];
