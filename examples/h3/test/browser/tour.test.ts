import { describeTour } from '../../../shared/test/tour.ts';

describeTour('h3');
