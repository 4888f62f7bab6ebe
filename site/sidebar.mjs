/** The sections of the site, in the order of a reader's first weeks. */
export const sidebar = [
  {
    label: 'Reference',
    items: ['configuration', 'errors', 'adapters', 'providers', 'runtimes'],
  },
];
