import { testEarlierAstro } from '../astro.ts';

testEarlierAstro('Astro 6.4.0', import.meta.dirname);
