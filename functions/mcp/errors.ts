import { InsufficientScopeError, ProtocolError, SdkHttpError } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { getHttpStatus } from './connection.ts'
import { AddressForbidden, OutboundFailed, ResponseTooLarge } from '../platform/net/outbound-http.ts'
import { toProviderError, ProviderError } from '../providers/errors.ts'
import { isReconnectRequired } from '../providers/reconnect-required.ts'
import { AppError } from '../platform/errors.ts'
import { cleanText } from '../platform/untrusted-text.ts'

const responseData = z.object({ text: z.string() })

/** @returns the JSON body of an error response, undefined if it is not JSON */
function parseBody({ data }: SdkHttpError): unknown {
  try {
    return JSON.parse(responseData.parse(data).text)
  } catch {
    // not JSON
    return undefined
  }
}

const walkCauses = function* (error: unknown) {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/** Converts an error of a server to one with a sentence for the model. @param errorHeaders headers of the last error response */
export function toServerError(name: string, error: unknown, errorHeaders: Headers | undefined): Error {
  if (isReconnectRequired(error) || error instanceof ProviderError) return error
  for (const cause of walkCauses(error)) {
    if (cause instanceof AddressForbidden)
      return new ProviderError(`The address of ${name} may not be called.`, undefined, { cause: error })
    if (cause instanceof ResponseTooLarge)
      return new ProviderError(
        `${name} answered with more than can be read. Ask for less. If the call changes something, check whether it was done before you try again.`,
        undefined,
        { cause: error },
      )
    if (cause instanceof OutboundFailed)
      return new ProviderError(
        `${name} did not answer. If the call changes something, check whether it was done before you try again.`,
        undefined,
        { cause: error },
      )
    if (cause instanceof ProtocolError)
      return new ProviderError(
        `${name} refused the call. It said: "${cleanText(cause.message, 300)}"`,
        undefined,
        { cause },
      )
    if (cause instanceof InsufficientScopeError || cause instanceof SdkHttpError) {
      const status = getHttpStatus(cause)
      if (status !== undefined && status >= 400)
        return toProviderError(name, {
          status,
          headers: errorHeaders ?? new Headers(),
          body: cause instanceof SdkHttpError ? parseBody(cause) : undefined,
        })
    }
  }
  return new ProviderError(`${name} did not answer as an MCP server does.`, undefined, { cause: error })
}

/** No MCP server responded at the address, or it failed. */
export class McpServerFailed extends AppError {
  readonly code = 'mcp_server_failed'
  readonly status = 502
  readonly userMessage = 'No MCP server responded at this address.'
}
