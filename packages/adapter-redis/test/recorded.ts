import type { Connected } from './clients.ts';

/** The command at which a recorded client loses its connection: before the server runs it, or after. */
export interface Cut {
  at: number;
  when: 'before' | 'after';
}

/** A client that records the names of its commands, and that a test can disconnect. */
export interface Recorded {
  readonly client: { sendCommand(args: string[]): Promise<unknown> };
  /** Names of commands since the last call. */
  commands(): string[];
  /** Number of commands since the last {@link Recorded.cut}. */
  seen(): number;
  /** Rejects all commands from the given one on, until the next call without an argument. Commands count from 1. */
  cut(cut?: Cut): void;
  /** Called before each command. */
  before?: (command: readonly string[]) => Promise<void> | void;
}

/** Returns a client that records the commands of a connection. */
export function recorded({ send }: Pick<Connected, 'send'>): Recorded {
  const names: string[] = [];
  let cut: Cut | undefined;
  let count = 0;
  const self: Recorded = {
    commands: () => names.splice(0),
    seen: () => count,
    cut: (next) => {
      [cut, count] = [next, 0];
    },
    client: {
      sendCommand: async (args) => {
        await self.before?.(args);
        names.push(args[0] ?? '');
        count += 1;
        const { at, when } = cut ?? { at: Number.POSITIVE_INFINITY, when: 'after' };
        if (count > at || (count === at && when === 'before')) throw new Error('the connection was cut');
        const reply = await send(...args);
        if (count === at) throw new Error('the connection was cut');
        return reply;
      },
    },
  };
  return self;
}
