#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 12)) {
  // Before anything else is loaded: other modules use what older versions lack.
  process.stderr.write(`error: Node.js ${process.versions.node} is too old: Latchkey needs 22.12 or newer\n`);
  process.exitCode = 2;
} else {
  const { run } = await import('./program.ts');
  const { terminal } = await import('./terminal.ts');
  process.exitCode = await run(process.argv.slice(2), terminal());
}

export {};
