import { type ChildProcess, spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../../../packages/testing/test/certificate.ts';
import { findProgram, systemFolders } from '../../../scripts/programs.mjs';

/** A reverse proxy in front of an application. */
export interface TlsProxy {
  /** The origin that visitors use. */
  readonly origin: string;
  stop(): Promise<void>;
}

const nginx = findProgram('nginx', systemFolders);

/** Without nginx these tests are skipped; under `CI=true` they fail. */
export const isWithoutProxy: boolean = nginx === undefined && process.env['CI'] !== 'true';

/**
 * Starts nginx. Visitors connect to it by TLS, and it connects to the application by HTTP. The header `Host` has the
 * application's own address. Only `X-Forwarded-*` has the origin that visitors use.
 *
 * @param port The port for visitors.
 * @param application The application's port.
 * @throws {Error} if nginx is not installed, or does not start.
 */
export async function startTlsProxy(port: number, application: number): Promise<TlsProxy> {
  if (!nginx)
    throw new Error('nginx is missing, which tests behind a proxy need. Install it (Debian: apt-get install nginx)');
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

/** A server that listens on `localhost` listens on one of its addresses, IPv4 or IPv6. */
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
