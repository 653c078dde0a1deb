import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { contextOption, printLine, runCommand, wrongUsage } from './command.ts'
import { openStage } from './stage.ts'

/** The functions, by the outputs of the api stack. */
const jobs: Readonly<Record<string, string>> = {
  'registry-sync': 'RegistrySyncFunction',
  'connection-refresh': 'ConnectionRefreshFunction',
  'model-check': 'ModelCheckFunction',
}

/** `npm run job`: with the event of the schedule. */
await runCommand(
  'job',
  { options: contextOption, allowPositionals: true },
  async ({ values, positionals: [name = '', ...others] }) => {
    const output = Object.hasOwn(jobs, name) ? jobs[name] : undefined
    if (output === undefined || others.length > 0) throw wrongUsage('job')
    const FunctionName = await openStage(values.context).findOutput('api', output)
    const Payload = Buffer.from(JSON.stringify({ id: 'by-hand', source: 'aws.scheduler' }))
    // a job may take fifteen minutes
    await new LambdaClient({}).send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }))
    printLine(`Started. The log of ${FunctionName} says how it ends.`)
  },
)
