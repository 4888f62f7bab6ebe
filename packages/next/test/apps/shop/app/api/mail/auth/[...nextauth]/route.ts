import { handlers } from '../../../../../mail.ts';

export const { GET, POST } = handlers;
