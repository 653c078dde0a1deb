import { contextOption, runCommand } from './command.ts'
import { examine, formatVerdict } from './doctor/examine.ts'
import { loadContext } from './stage.ts'
import { parseUsers } from '../aws/config.ts'

/** `npm run doctor`: exits with 1 if there is a problem. */
await runCommand(
  'doctor',
  { options: { ...contextOption, users: { type: 'string' } } },
  async ({ values }) => {
    const users = values.users === undefined ? undefined : parseUsers(values.users)
    const print = (text: string) => process.stdout.write(text)
    const examination = await examine(loadContext(values.context), { print, includeSite: true, users })
    print(`\n${formatVerdict(examination)}\n`)
    // explicitly: a request after its time limit may still keep the process alive
    process.stdout.write('', () => process.exit(examination.problems > 0 ? 1 : 0))
  },
)
