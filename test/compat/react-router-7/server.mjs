import { createRequestHandler } from 'react-router';
import { listen } from '../../../packages/react-router/test/contract/listen.ts';

await listen(createRequestHandler);
