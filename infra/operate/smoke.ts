import { runCommand, targetOptions } from './command.ts'
import { runSmokeTest, type StepResult } from './smoke/smoke-test.ts'
import { findDeployment } from './stage.ts'

const interruption = new AbortController()
// a second Ctrl-C has no listener and ends the process at once
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.stderr.write('Interrupted: cleaning up. Once more leaves the temporary user behind.\n')
    interruption.abort()
  })

const options = { ...targetOptions, keep: { type: 'boolean', default: false } } as const

await runCommand('smoke', { options }, async ({ values }) => {
  const deployment = await findDeployment(values)
  process.stdout.write(`${deployment.origin}\n`)
  const passed = await runSmokeTest(deployment, {
    report: (result) => process.stdout.write(formatStep(result)),
    signal: interruption.signal,
    keep: values.keep,
  })
  return interruption.signal.aborted ? 130 : passed ? 0 : 1
})

function formatStep({ name, ok, ms, detail, advice }: StepResult): string {
  const line = `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${String(ms).padStart(6)} ms  ${detail}\n`
  return advice ? `${line}       ${advice}\n` : line
}
