import { readFileSync } from 'node:fs';
import type { Account } from './engine.ts';

/** Tells whether the tests run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Finds a user of this machine by name, in `/etc/passwd`. */
export function accountNamed(name: string): Account | undefined {
  for (const line of readPasswd().split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return ''; // not Unix
  }
}
