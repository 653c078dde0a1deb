import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { readConfig } from '../aws/config.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { formatSynopsis, readArguments } from './arguments.ts'
import { contextNode, loadContext } from './cdk-context.ts'
import { reportOperatorError } from './cli-error.ts'
import { fetchStackOutput } from './find-deployment.ts'
import { printLine } from './print-line.ts'

/** `npm run job -- registry-sync -c stage=live`: starts a daily job now, with the event of its schedule. */

/** The functions, by the outputs of the api stack. */
const jobs: Readonly<Record<string, string>> = {
  'registry-sync': 'RegistrySyncFunction',
  'connection-refresh': 'ConnectionRefreshFunction',
  'model-check': 'ModelCheckFunction',
}

try {
  const { values, positionals } = readArguments('job', {
    options: { context: { type: 'string', short: 'c', multiple: true, default: [] } },
    allowPositionals: true,
  })
  const [name = '', ...others] = positionals
  const output = Object.hasOwn(jobs, name) ? jobs[name] : undefined
  if (output === undefined || others.length > 0) throw new OperatorError(formatSynopsis('job'))
  const { prefix } = readConfig(contextNode(loadContext(values.context)))
  const FunctionName = await fetchStackOutput(new CloudFormationClient({}), `${prefix}-api`, output)
  const Payload = Buffer.from(JSON.stringify({ id: 'by-hand', source: 'aws.scheduler' }))
  // a job may take fifteen minutes
  await new LambdaClient({}).send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }))
  printLine(`Started. The log of ${FunctionName} says how it ends.`)
} catch (error) {
  reportOperatorError(error)
}
