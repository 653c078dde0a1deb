import { createHash, randomUUID } from 'node:crypto'
import { wait } from '../../../functions/platform/clock.ts'
import { limitConcurrency } from '../../../functions/platform/limit-concurrency.ts'
import { withTimeout } from '../../../functions/platform/with-timeout.ts'
import { runAs } from '../caller.ts'
import type { LocalCredentials } from '../credentials.ts'
import { lambdaContext } from '../lambda.ts'
import type { LocalServer } from '../listen.ts'
import { AwsError, optionalText, serveAwsJson } from './aws-json.ts'
import type { InvokedFunction } from './lambda-invoke.ts'

/*
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html (members, errors, digests) and
 * https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html: the event of a queue. Only what the product sends.
 */
const maxMessageBytes = 1_048_576
/** After a failure the message is delivered again, and given up in the end, as by a queue of dead letters. */
const retryDelaysMs = [60_000, 120_000]
/** Functions that a queue starts at the same time. */
const consumersAtOnce = 4

export interface QueueOptions {
  /** what takes the messages of a queue, by its name */
  consumers: Readonly<Record<string, InvokedFunction>>
  credentials: LocalCredentials
  region: string
}

/** SQS for the SDK on a free port: SendMessage starts the queue's function. Messages are in memory: a stop of the product loses them. */
export async function startSqsEmulator({
  consumers,
  credentials,
  region,
}: QueueOptions): Promise<LocalServer & { queueUrl: (name: string) => string }> {
  const atOnce = limitConcurrency(consumersAtOnce)
  const server = await serveAwsJson({
    contentType: 'application/x-amz-json-1.0',
    maxBodyBytes: maxMessageBytes,
    signer: { ...credentials, region, service: 'sqs' },
    async handle(operation, input) {
      if (operation !== 'SendMessage')
        throw new AwsError('UnknownOperationException', `Unknown operation ${operation}`)
      const name = optionalText(input, 'QueueUrl')?.split('/').at(-1) ?? ''
      const consumer = Object.hasOwn(consumers, name) ? consumers[name] : undefined
      if (!consumer) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.')
      const body = optionalText(input, 'MessageBody')
      if (body === undefined || body === '')
        throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.')
      const messageId = randomUUID()
      void deliver({ consumer, atOnce, region, name }, { messageId, body })
      return { MessageId: messageId, MD5OfMessageBody: digest(body) }
    },
  })
  return { ...server, queueUrl: (name) => `${server.url}/000000000000/${name}` }
}

const digest = (body: string) => createHash('md5').update(body).digest('hex')

async function deliver(
  queue: {
    consumer: InvokedFunction
    atOnce: ReturnType<typeof limitConcurrency>
    region: string
    name: string
  },
  { messageId, body }: { messageId: string; body: string },
): Promise<void> {
  const { consumer, atOnce, region, name } = queue
  for (const [attempt, delayMs] of [...retryDelaysMs, undefined].entries()) {
    const record = {
      messageId,
      receiptHandle: randomUUID(),
      body,
      attributes: {
        ApproximateReceiveCount: String(attempt + 1),
        SentTimestamp: String(Date.now()),
        SenderId: '000000000000',
        ApproximateFirstReceiveTimestamp: String(Date.now()),
      },
      messageAttributes: {},
      md5OfBody: digest(body),
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:${region}:000000000000:${name}`,
      awsRegion: region,
    }
    const error = await atOnce(name, () => run(consumer, { Records: [record] }))
    if (error === undefined) return
    if (delayMs === undefined)
      process.stderr.write(`${consumer.name} failed: ${error.message.slice(0, 500)}\n`)
    else await wait(delayMs, { ref: false })
  }
}

/** @returns what the function threw, or that its time was over */
async function run({ name, handler, timeoutMs }: InvokedFunction, event: object): Promise<Error | undefined> {
  try {
    const context = lambdaContext(name, timeoutMs)
    const work = runAs(name, () => handler(event, context))
    return (await withTimeout(work, timeoutMs)) ? undefined : new Error('the time was over')
  } catch (error) {
    return error instanceof Error ? error : new Error('the function failed', { cause: error })
  }
}
