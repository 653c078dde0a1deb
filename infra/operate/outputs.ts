import { OperatorError } from '../aws/operator-error.ts'
import { contextOption, printLine, runCommand } from './command.ts'
import { openStage } from './stage.ts'

await runCommand('outputs', { options: contextOption }, async ({ values }) => {
  const { config, listOutputs } = openStage(values.context)
  let found = 0
  for (const name of ['data', 'auth', 'api', 'web'])
    for (const { key, value } of await listOutputs(name)) {
      found += 1
      printLine(`${key.padEnd(26)} ${value}`)
    }
  if (found === 0)
    throw new OperatorError(`There are no stacks of ${config.prefix} in this account and region.`)
})
