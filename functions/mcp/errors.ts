import { InsufficientScopeError, ProtocolError, SdkHttpError } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { statusOf } from './connection.ts'
import { AddressForbidden, OutboundFailed } from '../platform/net/outbound-http.ts'
import { providerErrorOf, ProviderError, isGrantGone } from '../providers/errors.ts'
import { AppError } from '../platform/errors.ts'
import { cleanText } from '../platform/untrusted-text.ts'

const kept = z.object({ text: z.string() })

/** The body of a refusal, as far as the client keeps it and it is JSON. */
function bodyOf({ data }: SdkHttpError): unknown {
  try {
    return JSON.parse(kept.parse(data).text)
  } catch {
    // what is no JSON says nothing that could be told
    return undefined
  }
}

const causesOf = function* (error: unknown) {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/** What went wrong with a server, as a sentence that the model may read. @param refusal headers of the server's last refusal */
export function serverErrorOf(name: string, error: unknown, refusal: Headers | undefined): Error {
  if (isGrantGone(error) || error instanceof ProviderError) return error
  for (const cause of causesOf(error)) {
    if (cause instanceof AddressForbidden)
      return new ProviderError(`The address of ${name} may not be called.`, undefined, { cause: error })
    if (cause instanceof OutboundFailed)
      return new ProviderError(
        `${name} did not answer, or with more than can be taken. Where the call changes something, look before you try again.`,
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
      const status = statusOf(cause)
      if (status !== undefined && status >= 400)
        return providerErrorOf(name, {
          status,
          headers: refusal ?? new Headers(),
          body: cause instanceof SdkHttpError ? bodyOf(cause) : undefined,
        })
    }
  }
  return new ProviderError(`${name} did not answer as an MCP server does.`, undefined, { cause: error })
}

/** What answers at the address is no MCP server, or it failed. */
export class McpServerFailed extends AppError {
  readonly code = 'mcp_server_failed'
  readonly status = 502
  readonly sentence = 'There is no answer of an MCP server at this address.'
}
