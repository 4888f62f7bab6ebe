import { createRequestHandler } from 'react-router';
import { listen } from './listen.ts';

await listen(createRequestHandler);
