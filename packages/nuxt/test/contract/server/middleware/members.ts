export default defineEventHandler((event) => members?.(event));
