import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { readConfig } from '../aws/config.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { readArguments } from './arguments.ts'
import { contextNode, loadContext } from './cdk-context.ts'
import { reportOperatorError } from './cli-error.ts'
import { printLine } from './print-line.ts'

/** `npm run outputs -- -c stage=live`: prints the outputs of the stacks: the addresses and names that the guides write as <TableName>. */
try {
  const { values } = readArguments('outputs', {
    options: { context: { type: 'string', short: 'c', multiple: true, default: [] } },
  })
  const { prefix } = readConfig(contextNode(loadContext(values.context)))
  const client = new CloudFormationClient({})
  let found = 0
  for (const name of ['data', 'auth', 'api', 'web']) {
    const outputs = await fetchOutputs(client, `${prefix}-${name}`)
    found += outputs.length
    for (const { key, value } of outputs) printLine(`${key.padEnd(26)} ${value}`)
  }
  if (found === 0) throw new OperatorError(`There are no stacks of ${prefix} in this account and region.`)
} catch (error) {
  reportOperatorError(error)
}

/** @returns without those that one stack exports for another; none for a stack that does not exist */
async function fetchOutputs(client: CloudFormationClient, StackName: string) {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }))
    return (Stacks?.[0]?.Outputs ?? [])
      .filter(({ ExportName }) => ExportName === undefined)
      .map(({ OutputKey = '', OutputValue = '' }) => ({ key: OutputKey, value: OutputValue }))
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'ValidationError' && message.includes('does not exist')) return []
    throw error
  }
}
