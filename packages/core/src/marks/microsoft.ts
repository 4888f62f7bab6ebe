// Written by `npm run marks` from packages/core/marks/microsoft.svg.
// packages/core/marks/marks.json has source and terms.
import type { MarkPath } from '../types/provider.ts';

const mark: readonly MarkPath[] = [
  {
    fill: '#F25022',
    path: 'M0 0v11.408h11.408V0z',
  },
  {
    fill: '#7FBA00',
    path: 'M12.594 0v11.408H24V0z',
  },
  {
    fill: '#00A4EF',
    path: 'M0 12.594V24h11.408V12.594z',
  },
  {
    fill: '#FFB900',
    path: 'M12.594 12.594V24H24V12.594z',
  },
];

export default mark;
