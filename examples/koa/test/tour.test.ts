import { describeHttpTour } from '../../shared/test/http-tour.ts';

describeHttpTour('koa');
