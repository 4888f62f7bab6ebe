export default defineEventHandler(() => ['order 1']);
