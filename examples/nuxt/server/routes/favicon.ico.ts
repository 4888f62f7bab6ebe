import { icon } from '../../../shared/style';

export default defineEventHandler((event) => send(event, icon, 'image/svg+xml'));
