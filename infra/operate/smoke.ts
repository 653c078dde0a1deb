import { reportUsageError } from './cli-error.ts'
import { loadContext } from './cdk-context.ts'
import { findDeployment } from './find-deployment.ts'
import { runSmokeTest, type StepResult } from './smoke/smoke-test.ts'
import { readArguments, targetOptions } from './arguments.ts'

/**
 * `npm run smoke -- -c stage=live`: tests the main functions of a deployment at its real address, with a temporary user that is always
 * erased. `--local`, or `--url http://localhost:4000`, tests the local product.
 */
const options = {
  ...targetOptions,
  keep: { type: 'boolean' },
} as const

const interruption = new AbortController()
// a second Ctrl-C has no listener and ends the process at once
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.stderr.write('Interrupted: cleaning up. Once more leaves the temporary user behind.\n')
    interruption.abort()
  })

try {
  const { values } = readArguments('smoke', { options })
  const deployment = await findDeployment(loadContext(values.context ?? []), values)
  process.stdout.write(`${deployment.origin}\n`)
  const passed = await runSmokeTest(deployment, {
    report: (result) => process.stdout.write(formatStep(result)),
    signal: interruption.signal,
    keep: values.keep === true,
  })
  process.exitCode = interruption.signal.aborted ? 130 : passed ? 0 : 1
} catch (error) {
  reportUsageError(error)
}

function formatStep({ name, ok, ms, detail, advice }: StepResult): string {
  const line = `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${String(ms).padStart(6)} ms  ${detail}\n`
  return advice ? `${line}       ${advice}\n` : line
}
