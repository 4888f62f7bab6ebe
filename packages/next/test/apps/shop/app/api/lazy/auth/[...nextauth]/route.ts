import { handlers } from '../../../../../lazy.ts';

export const { GET, POST } = handlers;
