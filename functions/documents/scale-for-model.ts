import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { scaleAnswer, type ScaleAnswer, type ScaleRequest } from './scale-contract.ts'

const timeoutMs = 30_000
let client: LambdaClient | undefined

export async function scaleForModel(
  functionName: string,
  request: ScaleRequest,
  signal: AbortSignal,
): Promise<ScaleAnswer> {
  client ??= new LambdaClient({ maxAttempts: 1, ...clientTimeouts(timeoutMs) })
  const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) })
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const { FunctionError, Payload } = await client.send(command, { abortSignal })
  if (FunctionError !== undefined) throw new Error('the parser failed')
  return scaleAnswer.parse(JSON.parse(Payload?.transformToString() ?? ''))
}
