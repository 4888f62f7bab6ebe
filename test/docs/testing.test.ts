import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectOf } from './page.ts';

// The tests of the guide run as tests of this file.
await import(/* @vite-ignore */ pathToFileURL(join(projectOf('guides/testing.md'), 'auth.test.ts')).href);
