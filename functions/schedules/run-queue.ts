import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import type { RunMessage } from './schedule-row.ts'

const timeoutMs = 5_000
let client: SQSClient | undefined

/** The queue of runs that are to begin. The worker may get a message twice, and later than it was sent. */
export const runQueue = (url: string) => ({
  async send(message: RunMessage): Promise<void> {
    client ??= new SQSClient({ maxAttempts: 3, ...clientTimeouts(timeoutMs) })
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: JSON.stringify(message) }))
  },
})
