import { app } from '../kit/server.ts';
import { remoteGuardTests } from './guard-cases.ts';

remoteGuardTests(() => app);
