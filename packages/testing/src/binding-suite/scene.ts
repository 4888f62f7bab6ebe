import type { BindingSetup } from '../binding-application.ts';
import { type Gate, HelperServer } from './helper-server.ts';
import { Site } from './site.ts';
import type { BindingBrowser, BindingProfile, BindingSubject, RunningApplication } from './subject.ts';

/** The running applications of one binding. Each setup is started once, when a case needs it first. */
export class Scene {
  readonly subject: BindingSubject;
  readonly #running: Map<string, Promise<RunningApplication>> = new Map();
  #helper: Promise<HelperServer> | undefined;
  #browser: Promise<BindingBrowser> | undefined;

  constructor(subject: BindingSubject) {
    this.subject = subject;
  }

  /** Returns the application with this setup. */
  async site(setup: BindingSetup = {}): Promise<Site> {
    const key = JSON.stringify(Object.entries(setup).sort());
    const running = this.#running.get(key) ?? this.subject.start(setup);
    this.#running.set(key, running);
    const { origin } = await running;
    const base = setup.base ?? '';
    return new Site(origin, base, base + (setup.basePath ?? this.subject.basePath ?? '/auth'));
  }

  /** Returns the suite's own server. */
  helper(): Promise<HelperServer> {
    this.#helper ??= HelperServer.start();
    return this.#helper;
  }

  /** Returns a point at which an application waits. */
  async gate(): Promise<Gate> {
    return (await this.helper()).gate();
  }

  /** Opens a profile of the browser. */
  async profile(): Promise<BindingProfile> {
    const { launchBrowser } = this.subject;
    if (!launchBrowser) throw new Error('the cases of the client need `launchBrowser`');
    this.#browser ??= launchBrowser();
    return (await this.#browser).newContext();
  }

  async stop(): Promise<void> {
    const running = await Promise.allSettled(this.#running.values());
    for (const each of running) if (each.status === 'fulfilled') await each.value.stop();
    await (await this.#helper)?.stop();
    await (await this.#browser)?.close();
  }
}
