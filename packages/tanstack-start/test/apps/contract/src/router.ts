import { createRouter } from '@tanstack/react-router';
import { routeTree } from './route-tree.gen.ts';

export const getRouter = () => createRouter({ routeTree });
