import type { Config } from '@react-router/dev/config';

// The suite tests the binding's own checks, so React Router accepts forms of all origins. `null` is an origin, too.
export default { allowedActionOrigins: ['**', 'null'] } satisfies Config;
