import { testEarlierAstro } from '../astro.ts';

testEarlierAstro('Astro 6', import.meta.dirname);
