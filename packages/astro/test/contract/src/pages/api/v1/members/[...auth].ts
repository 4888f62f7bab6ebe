import { handler } from '../../../../auth';

export const ALL = handler;
