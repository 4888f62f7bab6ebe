export { handler as default } from '../utils/auth';
