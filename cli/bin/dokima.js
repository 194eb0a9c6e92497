#!/usr/bin/env node
// In the repository the sources run directly. The published package has only the built files.
import { existsSync } from 'node:fs';

const source = new URL('../src/main.ts', import.meta.url);
await import(existsSync(source) ? source.href : '../dist/cli/src/main.js');
