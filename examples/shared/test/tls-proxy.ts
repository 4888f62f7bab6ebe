import { type ChildProcess, spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../../../packages/testing/test/certificate.ts';
import { installDebian } from '../../../scripts/debian.mjs';

/** A reverse proxy before an application. */
export interface TlsProxy {
  /** What visitors type. */
  readonly origin: string;
  stop(): Promise<void>;
}

const usual = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx', '/usr/local/bin/nginx'];
const find = (): string | undefined => usual.find((path) => existsSync(path));

const nginx: string | undefined = find() ?? ((await installDebian('nginx')) ? find() : undefined);

/** Without nginx these tests are skipped on a developer's machine, and fail where all tests must run. */
export const isWithoutProxy: boolean = nginx === undefined && process.env['CI'] !== 'true';

/**
 * Starts nginx, which speaks TLS with visitors and HTTP with the application. The application sees its own address as the host,
 * and learns of the other by `X-Forwarded-*` alone.
 *
 * @param port Where visitors come.
 * @param application Its port on this machine.
 * @throws {Error} when there is no nginx, or it does not start.
 */
export async function startTlsProxy(port: number, application: number): Promise<TlsProxy> {
  if (!nginx) throw new Error('no nginx for the tests behind a proxy: install it (Debian: apt-get install nginx)');
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-nginx-'));
  writeFileSync(join(folder, 'key.pem'), certificate.key, { mode: 0o600 });
  writeFileSync(join(folder, 'cert.pem'), certificate.cert);
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, await authority(application)));
  const child = spawn(nginx, ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.kill()) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilAnswers(child, port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin: `https://localhost:${port}`, stop };
}

/** Servers that listen at `localhost` listen at one of its addresses. */
async function authority(port: number): Promise<string> {
  const { address, family } = await lookup('localhost');
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

function configuration(folder: string, port: number, application: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr;
events { worker_connections 64; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    location / {
      proxy_pass http://${application};
      proxy_http_version 1.1;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`;
}

async function untilAnswers(child: ChildProcess, port: number): Promise<void> {
  const said: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (part) => said.push(part));
  while (!(await isAnswered(port))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${said.join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => undefined).once('connect', () => socket.destroy());
  });
}
