import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { DocumentsUnavailable } from './errors.ts'
import { parseResponse, type ParseResponse, type ParseRequest } from './parser-contract.ts'

export type ParseDocument = (request: ParseRequest) => Promise<ParseResponse>

const timeoutMs = 605_000

export function documentParser(functionName: string): ParseDocument {
  const client = new LambdaClient({ maxAttempts: 2, ...clientTimeouts(timeoutMs) })
  return async (request) => {
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) })
    const { FunctionError, Payload } = await client
      .send(command, { abortSignal: AbortSignal.timeout(timeoutMs) })
      .catch((cause: unknown) => {
        throw new DocumentsUnavailable('the parser could not be invoked', { cause })
      })
    const text = Payload?.transformToString() ?? ''
    return FunctionError === undefined ? readResponse(text) : readFailure(text)
  }
}

function readResponse(text: string): ParseResponse {
  try {
    return parseResponse.parse(JSON.parse(text))
  } catch (cause) {
    throw new DocumentsUnavailable('the parser’s response is not valid', { cause })
  }
}

/** @param text the error from Lambda; not logged as a whole because it may contain text of the document */
function readFailure(text: string): ParseResponse {
  if (/Runtime\.(?:ExitError|OutOfMemory)|signal: killed/.test(text)) return { problem: 'tooLarge' }
  if (/Sandbox\.Timedout|Task timed out/.test(text)) return { problem: 'late' }
  throw new DocumentsUnavailable(
    `the parser failed: ${/"errorType":"(\w{1,60})"/.exec(text)?.[1] ?? 'unknown'}`,
  )
}
