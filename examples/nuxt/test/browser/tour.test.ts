import { describeTour } from '../../../shared/test/tour.ts';

describeTour('nuxt');
