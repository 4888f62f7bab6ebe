import { describeHttpTour } from '../../shared/test/http-tour.ts';

describeHttpTour('solid-start');
