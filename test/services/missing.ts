import type { Engine, Kind } from './engine.ts';

/** No server of this kind is here and none can be started; the message says what to do. */
export class ServiceMissing extends Error {
  override readonly name = 'ServiceMissing';
  readonly kind: Kind;

  constructor(engine: Pick<Engine<never, never>, 'kind' | 'title' | 'variable' | 'debian' | 'url' | 'standardPort'>) {
    const { kind, title, variable, debian, url, standardPort } = engine;
    super(
      `no ${title} for the tests: install it (Debian: apt-get install ${debian}), ` +
        `or start one at ${url(standardPort)}, or set ${variable} to its address`,
    );
    this.kind = kind;
  }
}
