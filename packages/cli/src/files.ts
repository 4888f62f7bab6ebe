import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { Failure } from './terminal.ts';

/** Returns the text of a file; `undefined` if it does not exist. */
export function readIfPresent(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * Adds lines to a file, which only its owner may read if it is new.
 *
 * @throws {Failure} if the file is a symbolic link.
 */
export function appendTo(file: string, lines: string): void {
  const before = readIfPresent(file) ?? '';
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  write(file, constants.O_APPEND | constants.O_CREAT, gap + lines);
}

/**
 * Creates a file.
 *
 * @throws {Failure} if it exists, or if it is a symbolic link.
 */
export function create(file: string, text: string, mode?: number): void {
  mkdirSync(dirname(file), { recursive: true });
  write(file, constants.O_EXCL | constants.O_CREAT, text, mode);
}

/** `O_NOFOLLOW` does not exist on Windows. There, {@link checkTarget} has looked for a link before. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

function write(file: string, flags: number, text: string, mode = 0o600): void {
  refuseLink(file);
  const descriptor = openSync(file, constants.O_WRONLY | NO_FOLLOW | flags, mode);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Checks that no part of a path below a folder is a symbolic link: the file would be written elsewhere.
 *
 * @throws {Failure} with the link.
 */
export function checkTarget(folder: string, file: string): void {
  let path = folder;
  for (const part of relative(folder, file).split(sep)) {
    path = join(path, part);
    refuseLink(path);
  }
}

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Failure(`${path} is a symbolic link. Remove it, or write the file yourself`, 1);
  }
}
