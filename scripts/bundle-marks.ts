import type { Plugin } from 'rolldown';
import * as icons from 'simple-icons';

const IMPORT = /^import \{ (si\w+) as mark \} from 'simple-icons';$/m;
const VIRTUAL = 'mark:';

interface Icon {
  path: string;
  title: string;
  license?: { type: string };
}

/**
 * Puts the mark of a provider's vendor into the provider's own file. `simple-icons` is one module: without this, each
 * provider would load the marks of all.
 */
export function marks(): Plugin {
  return {
    name: 'marks',
    transform: {
      filter: { code: 'simple-icons' },
      handler: (code) => ({
        code: code.replace(IMPORT, (_, name: string) => `import mark from '${VIRTUAL}${name}';`),
        map: null,
      }),
    },
    resolveId: (id) => (id.startsWith(VIRTUAL) ? id : undefined),
    load(id) {
      if (!id.startsWith(VIRTUAL)) return undefined;
      const icon = (icons as unknown as Record<string, Icon>)[id.slice(VIRTUAL.length)];
      if (icon === undefined) throw new Error(`simple-icons has no ${id.slice(VIRTUAL.length)}.`);
      const { path, title, license } = icon;
      return `/*! The mark of ${title}, from simple-icons, ${license?.type ?? 'CC0-1.0'}. */\nexport default { path: '${path}' };`;
    },
  };
}
