import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it, vi } from 'vitest';
import { loadCompat } from '../../../test/compat/load.ts';
import { features, start } from './contract/start.ts';

vi.mock('hono', () => loadCompat('hono-4.0', 'hono'));
vi.mock('hono/adapter', () => loadCompat('hono-4.0', 'hono/adapter'));
vi.mock('hono/cookie', () => loadCompat('hono-4.0', 'hono/cookie'));
vi.mock('hono/http-exception', () => loadCompat('hono-4.0', 'hono/http-exception'));
vi.mock('hono/streaming', () => loadCompat('hono-4.0', 'hono/streaming'));

bindingSuite({ name: 'Hono 4.0', start, features }, { describe, it, afterAll });
