import { randomUUID } from 'node:crypto';
import { type Fresh, type OwnServer, startPostgres, startRedis } from '../services/index.ts';
import { freePort } from '../services/port.ts';
import { Child } from './child.ts';
import { Outbox } from './outbox.ts';
import { Switch } from './switch.ts';
import type { Tally } from './tally.ts';
import type { Part, Windows } from './windows.ts';

/**
 * The two processes of the application. After the rotation, only `b` is killed, so that the memory of `a` can be
 * measured.
 */
export const names = ['a', 'b'] as const;
export type Name = (typeof names)[number];

/** Secrets of a process, newest first: one or two. */
export type Secrets = readonly [newest: string, older?: string];

/** Milliseconds in which a part has to be back. */
const PATIENCE = 120_000;

/** Everything that runs beside the driver. */
export class World {
  readonly outbox: Outbox = new Outbox();
  readonly switch: Switch;
  readonly windows: Windows;
  /** The secrets of each process. */
  readonly secrets: Record<Name, Secrets>;
  readonly #tally: Tally;
  readonly #apps = new Map<Name, Child>();
  readonly #visitors: number;
  readonly #expected = new WeakSet<Child>();
  #postgres: OwnServer | undefined;
  #redis: OwnServer | undefined;
  #provider: Child | undefined;
  #env: Readonly<Record<string, string>> = {};

  constructor(tally: Tally, windows: Windows, visitors: number, secret: string) {
    this.#tally = tally;
    this.#visitors = visitors;
    this.windows = windows;
    this.switch = new Switch(tally);
    this.secrets = { a: [secret], b: [secret] };
  }

  /** Where the provider is. */
  get issuer(): string {
    return this.#env['SOAK_ISSUER'] ?? '';
  }

  /** Starts all parts. */
  async start(): Promise<void> {
    const [postgres, redis, port] = await Promise.all([startPostgres(), startRedis({ persistent: true }), freePort()]);
    this.#postgres = postgres;
    this.#redis = redis;
    this.#env = {
      NODE_ENV: 'production',
      SOAK_POSTGRES: postgres.url,
      SOAK_REDIS: redis.url,
      SOAK_PREFIX: `soak-${randomUUID()}:`,
      SOAK_ISSUER: `http://127.0.0.1:${port}`,
      SOAK_PROVIDER_PORT: String(port),
      SOAK_VISITORS: String(this.#visitors),
    };
    await this.startProvider();
    for (const name of names) await this.startApplication(name);
  }

  /** The server of a store; it may be killed and started. */
  server(store: 'postgres' | 'redis'): Pick<OwnServer<Fresh>, 'kill' | 'start'> {
    const server = store === 'postgres' ? this.#postgres : this.#redis;
    if (!server) throw new Error('the world has not been started');
    return server;
  }

  /** Starts a process with its {@link secrets}, waits until it is well, and puts it behind the switch. */
  async startApplication(name: Name): Promise<void> {
    const [newest, older] = this.secrets[name];
    const secrets = older === undefined ? { AUTH_SECRET: newest } : { AUTH_SECRET: older, AUTH_SECRET_1: newest };
    const child = new Child('./application/main.ts', { ...this.#env, ...secrets }, this.outbox.receive);
    void child.ended.then((how) => this.#reportEnd(name, child, how));
    this.#apps.set(name, child);
    const port = await child.ask<number>('port');
    // Of what is down, it will be asked when that is back.
    await until(async () => {
      const well = await Promise.all(
        (['postgres', 'redis'] as const).map(
          async (part) => this.windows.isDown(part) || (await child.ask<boolean>(part)),
        ),
      );
      return well.every(Boolean);
    }, `process ${name}`);
    this.switch.take({ name, port });
  }

  /** Kills a process. */
  async killApplication(name: Name): Promise<void> {
    const child = this.application(name);
    this.#expected.add(child);
    await child.end('SIGKILL');
    await this.switch.leave(name);
  }

  /** Takes a process from behind the switch, waits for its last answers, and has it end by itself. */
  async stopApplication(name: Name): Promise<void> {
    const child = this.application(name);
    this.#expected.add(child);
    await this.switch.leave(name);
    const how = await child.end('SIGTERM');
    if (how !== '0')
      this.#tally.fail('broken promises', `process ${name}`, `was to end by itself, but ended with ${how}`);
  }

  application(name: Name): Child {
    const child = this.#apps.get(name);
    if (!child) throw new Error(`no process ${name}`);
    return child;
  }

  /** Starts the provider, with new keys. */
  async startProvider(): Promise<void> {
    this.#provider = new Child('./provider.ts', this.#env);
    await this.#provider.ask('issuer');
  }

  /** Has the provider stop to listen, and listen again; its keys stay. */
  async pauseProvider(does: 'stop' | 'start'): Promise<void> {
    await this.#provider?.ask(does);
  }

  async killProvider(): Promise<void> {
    await this.#provider?.end('SIGKILL');
  }

  /** Waits until a part answers all processes that get requests. */
  async wellAgain(part: Exclude<Part, 'application' | 'keys'>): Promise<void> {
    if (part === 'provider') return until(() => answers(`${this.issuer}/.well-known/openid-configuration`), part);
    await until(async () => {
      const asked = this.switch.targets;
      const children = asked.map(({ name }) => this.application(name as Name));
      // One that ends meanwhile has nothing to say.
      const found = await Promise.all(children.map((child) => child.ask<boolean>(part).catch(() => child.hasEnded)));
      // One that came meanwhile has not been asked.
      return found.every(Boolean) && this.switch.targets.every((target) => asked.includes(target));
    }, part);
  }

  /** The last lines of all processes, for who looks for the reason of a failure. */
  get lastLines(): string[] {
    return [...this.#apps].flatMap(([name, { lines }]) => lines.map((line) => `${name} ${line}`));
  }

  async close(): Promise<void> {
    for (const child of [...this.#apps.values(), ...(this.#provider ? [this.#provider] : [])]) {
      this.#expected.add(child);
      await child.end('SIGKILL');
    }
    await Promise.all([this.#postgres?.stop(), this.#redis?.stop()]);
  }

  #reportEnd(name: Name, child: Child, how: string): void {
    if (this.#expected.has(child)) return;
    this.#tally.fail('broken promises', `process ${name}`, `ended by itself (${how}): ${child.lines.join(' / ')}`);
  }
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + PATIENCE; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (Date.now() > end) throw new Error(`${what} did not come back within ${PATIENCE / 1000} s`);
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
}
