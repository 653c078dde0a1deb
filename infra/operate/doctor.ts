import { parseArgs } from 'node:util'
import { loadContext } from './cdk-context.ts'
import { examine, formatVerdict } from './doctor/examine.ts'
import { reportUsageError } from './cli-error.ts'

/**
 * `npm run doctor -- -c key=value`: whether everything is there that a deployment with this configuration needs, and what to
 * do about what is not. Changes nothing, reads no secret. Ends with 1 when there is a problem.
 */
const say = (text: string) => process.stdout.write(text)

try {
  const { values } = parseArgs({
    options: { context: { type: 'string', short: 'c', multiple: true, default: [] } },
  })
  const examination = await examine(loadContext(values.context), { print: say, checkSiteBuilt: true })
  say(`\n${formatVerdict(examination)}\n`)
  // at once: what was given up waiting for may still hold the process
  process.stdout.write('', () => process.exit(examination.problems > 0 ? 1 : 0))
} catch (error) {
  reportUsageError(error)
}
