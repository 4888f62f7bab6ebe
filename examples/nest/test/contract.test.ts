import { describeContract } from './contract/suite.ts';

describeContract('Nest 12');
