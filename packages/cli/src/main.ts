#!/usr/bin/env node
import { run } from './program.ts';
import { terminal } from './terminal.ts';

process.exitCode = await run(process.argv.slice(2), terminal());
