import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/**
 * One installation at a time: whoever waits finds the package there. `policy-rc.d` is Debian's way to say that a package must
 * not start its service.
 */
const script = `
  set -e
  if dpkg --status "$@" >/dev/null 2>&1; then exit 0; fi
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' >"$policy"
    chmod 755 "$policy"
  fi
  apt-get -qq update
  apt-get -qq install --yes --no-install-recommends "$@"
`;

/**
 * Installs packages when we are root on Debian. Their services are not started.
 *
 * @param {string[]} packages
 * @returns {Promise<boolean>} Whether they are installed now.
 */
export async function installDebian(...packages) {
  if (process.getuid?.() !== 0 || !isDebian()) return false;
  console.log(`latchkey: installing ${packages.join(', ')} (apt-get install)`);
  const child = spawn('flock', ['/run/lock/latchkey-apt', 'sh', '-c', script, 'sh', ...packages], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

function isDebian() {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false; // no Linux
  }
}
