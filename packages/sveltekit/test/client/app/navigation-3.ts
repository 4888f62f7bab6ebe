import { loads } from './navigation.ts';

export { invalidateAll } from './navigation.ts';

export async function refreshAll(): Promise<void> {
  loads.push('refreshAll');
}
