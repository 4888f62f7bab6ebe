import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../', import.meta.url));

/** A registry of npm on a loopback address, which has the packed packages of this repository. */
export interface Registry {
  readonly url: string;
  close(): void;
}

/**
 * Starts the registry.
 *
 * @param tarballs The packed packages, by the folder's name in `packages/`.
 */
export async function startRegistry(tarballs: ReadonlyMap<string, string>): Promise<Registry> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const tarball = [...tarballs.values()].find((file) => path === `/${basename(file)}`);
    if (tarball) return void response.end(readFileSync(tarball));
    const [name, file] = [...tarballs].find(([folder]) => path === `/@latchkey/${folder}`) ?? [];
    if (name === undefined || file === undefined) return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(packument(name, file, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}

/** Returns the document that npm reads about a package: one version, which is the latest. */
function packument(name: string, tarball: string, registry: string): object {
  const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as { version: string };
  const { version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { tarball: `${registry}/${basename(tarball)}`, integrity };
  return {
    name: `@latchkey/${name}`,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  };
}
