import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientTimeouts } from '../../platform/client-timeouts.ts'
import { DocumentsUnavailable } from '../errors.ts'
import { queryAnswer, type QueryAnswer, type QueryRequest } from './query-contract.ts'

/** More than a statement has by the clock, with the start of its function. */
const timeoutMs = 40_000
let client: LambdaClient | undefined

export async function queryTables(
  functionName: string,
  request: QueryRequest,
  signal: AbortSignal,
): Promise<QueryAnswer> {
  client ??= new LambdaClient({ maxAttempts: 2, ...clientTimeouts(timeoutMs) })
  const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) })
  try {
    const { FunctionError, Payload } = await client.send(command, { abortSignal: signal })
    if (FunctionError !== undefined) throw new Error('the parser failed')
    return queryAnswer.parse(JSON.parse(Payload?.transformToString() ?? ''))
  } catch (cause) {
    throw new DocumentsUnavailable('the tables could not be queried', { cause })
  }
}
