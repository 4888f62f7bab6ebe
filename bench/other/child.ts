import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/**
 * Runs a piece of JavaScript in a new process, in the folder of the project, and reads the JSON that it prints. The
 * code can call `peer(path)` to import a subpath of `@auth/core`.
 */
export async function inChild<T>(code: string, flags: readonly string[] = []): Promise<T> {
  const script = `const peer = (path = '') => import('./test/peers/authjs/load.mjs').then(({ load }) => load('@auth/core' + path));\n${code}`;
  const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '-e', script], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

/** Returns code that defines `ask()`, a request for a session. The configuration has one provider. */
export function asking(library: 'latchkey' | 'peer'): string {
  const load = (path: string): string => (library === 'peer' ? `peer('${path}')` : `import('@latchkey/core${path}')`);
  return `
const { Auth } = await ${load('')};
const { default: GitHub } = await ${load('/providers/github')};
const { encode } = await ${load('/jwt')};
const secret = 'a-secret-for-measurements-of-more-than-32-characters';
const config = { providers: [GitHub({ clientId: 'id', clientSecret: 'secret' })], secret, trustHost: true, basePath: '/auth' };
const token = await encode({ token: { name: 'Ada', email: 'ada@example.com' }, secret, salt: 'authjs.session-token' });
const headers = { cookie: 'authjs.session-token=' + token };
const ask = async () => {
  const answer = await Auth(new Request('http://localhost:3000/auth/session', { headers }), config);
  if (!(await answer.text()).includes('Ada')) throw new Error('no session');
};
`;
}
