import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientTimeouts } from './client-timeouts.ts'

const timeoutMs = 5_000
let client: LambdaClient | undefined

/** Hands an event to a function, and does not wait for the function: Lambda retries it. */
export async function invokeInBackground(functionName: string, event: unknown): Promise<void> {
  client ??= new LambdaClient({ maxAttempts: 3, ...clientTimeouts(timeoutMs) })
  await client.send(
    new InvokeCommand({
      FunctionName: functionName,
      InvocationType: 'Event',
      Payload: JSON.stringify(event),
    }),
  )
}
