import { readFileSync, writeSync } from 'node:fs'
import { watchProcess } from '../watch-process.ts'
import { runStatement, type StatementInput } from './run-statement.ts'

// Runs one statement, and nothing else, in a process of its own: whoever wrote it may want it to run for ever. A thread of the process
// watches, and kills the process.

const MB = 1024 * 1024
const input = JSON.parse(readFileSync(0, 'utf8')) as StatementInput
const { timeMs, memoryMb } = input.limits
const answer = await runStatement(input, () =>
  watchProcess({ timeMs, maxRss: process.memoryUsage.rss() + memoryMb * MB }),
)
const text = Buffer.from(JSON.stringify(answer))
for (let at = 0; at < text.length;) at += writeSync(1, text, at)
process.exit(0)
