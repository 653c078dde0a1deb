import { loadContext } from './cdk-context.ts'
import { examine, formatVerdict } from './doctor/examine.ts'
import { reportUsageError } from './cli-error.ts'
import { readArguments } from './arguments.ts'

/**
 * `npm run doctor -- -c key=value`: checks that everything exists that a deployment with this configuration needs, and advises
 * on what is missing. Changes nothing, reads no secret. Exits with 1 if there is a problem.
 */
const print = (text: string) => process.stdout.write(text)

try {
  const { values } = readArguments('doctor', {
    options: { context: { type: 'string', short: 'c', multiple: true, default: [] } },
  })
  const examination = await examine(loadContext(values.context), { print, includeSite: true })
  print(`\n${formatVerdict(examination)}\n`)
  // explicitly: a request after its time limit may still keep the process alive
  process.stdout.write('', () => process.exit(examination.problems > 0 ? 1 : 0))
} catch (error) {
  reportUsageError(error)
}
