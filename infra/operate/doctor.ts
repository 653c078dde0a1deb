import { contextOption, runCommand } from './command.ts'
import { examine, formatVerdict } from './doctor/examine.ts'
import { loadContext } from './stage.ts'

/** `npm run doctor`: exits with 1 if there is a problem. */
await runCommand('doctor', { options: contextOption }, async ({ values }) => {
  const print = (text: string) => process.stdout.write(text)
  const examination = await examine(loadContext(values.context), { print, includeSite: true })
  print(`\n${formatVerdict(examination)}\n`)
  // explicitly: a request after its time limit may still keep the process alive
  process.stdout.write('', () => process.exit(examination.problems > 0 ? 1 : 0))
})
