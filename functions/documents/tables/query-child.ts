import { runForParent } from '../parent-process.ts'
import { runStatement, type StatementInput } from './run-statement.ts'

// Runs one statement, and nothing else, in a process of its own: whoever wrote it may want it to run for ever. A thread of the process
// watches, and kills the process.

await runForParent<StatementInput>(async (input, post) => post(runStatement(input)))
