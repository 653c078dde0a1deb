import {
  type CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from '@aws-sdk/client-cloudformation'
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoModel, startDemoModel } from '../../support/model-server/server.ts'
import type { Report } from '../report.ts'
import { listResources, toConstructName, toStackName } from './deployment.ts'
import type { Template } from './faults.ts'
import type { Caller } from './journeys.ts'

type ReplyLogic = NonNullable<NonNullable<Parameters<typeof startDemoModel>[0]>['reply']>

/** The model's reply to `/slow`. */
export const slowReply = Array.from({ length: 800 }, (_, at) => `word ${at + 1}`).join(' ')

/** Lets the model's reply to `/slow` be long, and as slow as the judge wants: while `isOn`, a second passes after every other token. */
export function holdReplies(reply: ReplyLogic, hold: { isOn: boolean }): ReplyLogic {
  return (request) => {
    const decided = reply(request)
    if (decided.kind !== 'slow') return decided
    return {
      ...decided,
      text: slowReply,
      get silenceMs() {
        return hold.isOn ? 1_000 : 0
      },
    }
  }
}

const refusedId = 'RefusedByTheEmulator'
const apiStack = toStackName('api')

const findChat = (template: Template) =>
  Object.keys(template.Resources).find(
    (id) => template.Resources[id]?.Type === 'AWS::Lambda::Function' && toConstructName(id) === 'Chat',
  )

/** Copies an assembly, and adds a resource that the emulator refuses after it has updated the chat function. */
export function breakAssembly(from: string, to: string): void {
  mkdirSync(to)
  for (const file of readdirSync(from))
    if (file.startsWith('asset.')) symlinkSync(join(from, file), join(to, file))
    else cpSync(join(from, file), join(to, file))
  const file = `${apiStack}.template.json`
  const template = JSON.parse(readFileSync(join(to, file), 'utf8')) as Template
  template.Resources[refusedId] = {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { Metrics: [], Threshold: 1, EvaluationPeriods: 1, ComparisonOperator: 'None' },
    DependsOn: [findChat(template) ?? ''],
  }
  writeFileSync(join(to, file), JSON.stringify(template))
  // a template is uploaded under the hash by which the CDK knows it, and not again
  const assets = readFileSync(join(to, `${apiStack}.assets.json`), 'utf8')
  const { files } = JSON.parse(assets) as { files: Record<string, { source: { path: string } }> }
  const hash = Object.keys(files).find((key) => files[key]?.source.path === file) ?? ''
  const other = randomBytes(hash.length / 2).toString('hex')
  for (const name of [`${apiStack}.assets.json`, 'manifest.json'])
    writeFileSync(join(to, name), readFileSync(join(to, name), 'utf8').replaceAll(hash, other))
}

interface Setting {
  cloudFormation: CloudFormationClient
  user: Caller
  model: DemoModel
  /** what `holdReplies` was given */
  hold: { isOn: boolean }
  /** deploys the broken assembly @returns whether that failed */
  deployBroken: () => Promise<boolean>
}

/** Updates the api stack to a release that fails half-way, while a reply streams. */
export async function judgeFailedUpdate(
  report: Report,
  { cloudFormation, user, model, hold, deployBroken }: Setting,
): Promise<void> {
  const before = await describeApi(cloudFormation)
  const sessionId = crypto.randomUUID()
  hold.isOn = true
  const sent = user
    .send('chat.send', {
      body: { messages: [{ role: 'user', content: '/slow' }], sessionId, messageId: crypto.randomUUID() },
      headers: { accept: 'text/event-stream' },
    })
    .catch((error: unknown) => ({ status: 0, body: String(error) }))
  try {
    for (let tries = 0; model.openRequests() === 0; tries += 1) {
      if (tries === 600) throw new Error('no reply began')
      await sleep(100)
    }
    const startedAt = new Date()
    if (!(await deployBroken())) return
    const isStillRunning = model.openRequests() > 0
    hold.isOn = false
    const { status, body } = await sent
    const events = await listEvents(cloudFormation, startedAt)
    const statuses = (id: string) =>
      events
        .filter(
          ({ LogicalResourceId = '' }) =>
            LogicalResourceId === id || toConstructName(LogicalResourceId) === id,
        )
        .map(({ ResourceStatus }) => String(ResourceStatus))
    const [ofChat, ofRefused, ofStack] = [statuses('Chat'), statuses(refusedId), statuses(apiStack)]
    // of a new resource CloudFormation says CREATE_FAILED, the emulator UPDATE_FAILED
    if (!ofChat.includes('UPDATE_COMPLETE') || !ofRefused.some((status) => status.endsWith('_FAILED')))
      throw new Error(`it did not fail half-way: ${ofChat.join()}; ${ofRefused.join()}`)
    if (ofStack.at(-1) !== 'UPDATE_ROLLBACK_COMPLETE') throw new Error(`the stack is ${ofStack.at(-1)}`)
    report.pass('an update that fails half-way is rolled back')

    const left = listChanges(before, await describeApi(cloudFormation))
    if (left.length > 0) report.fail('of the failed update is left', left.join(', '))
    else report.pass(`nothing of it is left: ${before.size} resources are as before`)

    if (!isStillRunning) throw new Error('the reply ended before the update')
    if (status !== 200 || !String(body).includes('[DONE]'))
      throw new Error(`the reply that was streaming: ${status} ${String(body).slice(-300)}`)
    const { messages } = await user.call('sessions.read', { params: { sessionId } })
    const [, reply, ...others] = messages
    if (reply?.content !== slowReply || others.length > 0)
      throw new Error(`the reply is not whole: ${reply?.content.length} of ${slowReply.length} characters`)
    report.pass('the reply that was streaming meanwhile is whole')
  } catch (error) {
    report.fail('a failed update', error instanceof Error ? error.message : String(error))
  } finally {
    hold.isOn = false
    await sent
  }
}

/** Oldest first. */
async function listEvents(client: CloudFormationClient, since: Date): Promise<StackEvent[]> {
  const events: StackEvent[] = []
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: apiStack }))
    events.unshift(...StackEvents.toReversed())
  return events.filter(({ Timestamp }) => Timestamp && Timestamp >= since)
}

/** What the api stack has: the physical ids of its resources, and code and variables of its functions. */
async function describeApi(client: CloudFormationClient): Promise<Map<string, string>> {
  const lambda = new LambdaClient({})
  const resources = await listResources(client, ['api'])
  const described = await Promise.all(
    resources.map(async ({ LogicalResourceId = '', PhysicalResourceId = '', ResourceType }) => {
      if (ResourceType !== 'AWS::Lambda::Function') return [LogicalResourceId, PhysicalResourceId] as const
      const { CodeSha256, Environment } = await lambda.send(
        new GetFunctionConfigurationCommand({ FunctionName: PhysicalResourceId }),
      )
      const variables = Object.entries(Environment?.Variables ?? {}).toSorted(([a], [b]) =>
        a.localeCompare(b),
      )
      return [LogicalResourceId, JSON.stringify([PhysicalResourceId, CodeSha256, variables])] as const
    }),
  )
  return new Map(described)
}

const listChanges = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id))
