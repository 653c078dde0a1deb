import { parseArgs } from 'node:util'
import { reportUsageError } from './cli-error.ts'
import { loadContext } from './cdk-context.ts'
import { findDeployment } from './find-deployment.ts'
import { runSmokeTest, type StepResult } from './smoke/smoke-test.ts'

/**
 * `npm run smoke -- -c stage=live`: after a deployment, does once what people do, at the real address, with a user of its own that is
 * erased in any case. `--local`, or `--url http://localhost:4000`, does the same where `npm start` runs.
 */
const options = {
  context: { type: 'string', short: 'c', multiple: true },
  url: { type: 'string' },
  local: { type: 'boolean' },
  keep: { type: 'boolean' },
} as const

const interrupted = new AbortController()
// a second Ctrl-C finds no listener, and ends at once
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.stderr.write('Interrupted: cleaning up. Once more leaves the temporary user behind.\n')
    interrupted.abort()
  })

try {
  const { values } = parseArgs({ options })
  const place = await findDeployment(loadContext(values.context ?? []), values)
  process.stdout.write(`${place.origin}\n`)
  const passed = await runSmokeTest(place, {
    report: (result) => process.stdout.write(formatStep(result)),
    signal: interrupted.signal,
    keep: values.keep === true,
  })
  process.exitCode = interrupted.signal.aborted ? 130 : passed ? 0 : 1
} catch (error) {
  reportUsageError(error)
}

function formatStep({ name, ok, ms, detail, advice }: StepResult): string {
  const line = `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${String(ms).padStart(6)} ms  ${detail}\n`
  return advice ? `${line}       ${advice}\n` : line
}
