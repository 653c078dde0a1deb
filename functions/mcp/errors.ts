import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { McpNotConnected, getHttpStatus, type TransportObservations } from './connection.ts'
import { brokenAnswerCode, UnexpectedAnswer, type BrokenAnswer } from './read-responses.ts'
import { AddressForbidden, OutboundFailed, ResponseTooLarge } from '../platform/net/outbound-http.ts'
import { toProviderError, ProviderError } from '../providers/errors.ts'
import { isReconnectRequired } from '../providers/reconnect-required.ts'
import { AppError } from '../platform/errors.ts'
import { cleanText, plainLine } from '../platform/untrusted-text.ts'

const responseData = z.object({ text: z.string() })

/** @returns the text of an error response; empty if there is none */
const getBody = ({ data }: SdkHttpError): string => responseData.safeParse(data).data?.text ?? ''

const walkCauses = function* (error: unknown) {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

const isWebPage = ({ type, text }: Pick<UnexpectedAnswer, 'type' | 'text'>) =>
  type === 'text/html' || /^\s*<(?:!doctype html|html)\b/i.test(text)

const quote = (text: string, maxCharacters = 200) => {
  const line = plainLine(text, maxCharacters)
  return line === '' ? '' : ` It said: "${line}"`
}

const brokenAnswers: Readonly<Record<BrokenAnswer, string>> = {
  lost: 'The connection broke off before the answer of {name} was complete.',
  'too large': '{name} answered with more than can be read. Ask for less.',
  unreadable: '{name} answered with something that could not be read.',
}

const isBrokenAnswer = (message: string): message is BrokenAnswer => Object.hasOwn(brokenAnswers, message)

/** What became of a request without a readable answer; undefined for other errors. */
function describeUnknownOutcome(name: string, cause: Error): string | undefined {
  if (cause instanceof ProtocolError && cause.code === brokenAnswerCode && isBrokenAnswer(cause.message))
    return brokenAnswers[cause.message].replace('{name}', name)
  if (cause instanceof ResponseTooLarge) return brokenAnswers['too large'].replace('{name}', name)
  if (cause instanceof OutboundFailed) return `${name} did not answer.`
  if (cause instanceof UnexpectedAnswer)
    return isWebPage(cause)
      ? `${name} answered with a web page, not as an MCP server does.`
      : `${name} did not answer as an MCP server does.${quote(cause.text)}`
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return `${name} did not answer in time.`
  if (cause instanceof SdkError && cause.code === SdkErrorCode.ConnectionClosed)
    return `The connection to ${name} was lost.`
  return undefined
}

/** What a server sends with the words of its error, such as the argument that is wrong, or an address to be opened. */
function describeData(data: unknown): string {
  if (data === undefined || data === null) return ''
  const text = cleanText(typeof data === 'string' ? data : JSON.stringify(data), 1_000)
  return text === '' || text === '{}' ? '' : ` Details: ${text}`
}

/** Without a connection nothing was sent. */
const isUnsent = (error: unknown) =>
  error instanceof McpNotConnected || (error instanceof SdkError && error.code === SdkErrorCode.NotConnected)

/**
 * Converts an error of a server to one with a sentence for the model. The error says whether a call that was sent may have been done.
 * @param errorHeaders headers of the last error response
 */
export function toServerError(name: string, error: unknown, errorHeaders: Headers | undefined): Error {
  if (isReconnectRequired(error) || error instanceof ProviderError) return error
  const isOutcomeUnknown = !isUnsent(error)
  for (const cause of walkCauses(error)) {
    if (cause instanceof AddressForbidden)
      return new ProviderError(`The address of ${name} may not be called.`, undefined, { cause: error })
    const unknownOutcome = describeUnknownOutcome(name, cause)
    if (unknownOutcome !== undefined)
      return new ProviderError(unknownOutcome, undefined, { cause: error, isOutcomeUnknown })
    if (cause instanceof ProtocolError) {
      const message = cleanText(cause.message, 1_000) + describeData(cause.data)
      return new ProviderError(`${name} refused the call. It said: "${message}"`, undefined, { cause })
    }
    if (cause instanceof InsufficientScopeError || cause instanceof SdkHttpError) {
      const status = getHttpStatus(cause)
      if (status !== undefined && status >= 400) {
        const { message } = toProviderError(name, {
          status,
          headers: errorHeaders ?? new Headers(),
          body: cause instanceof SdkHttpError ? parseJson(getBody(cause)) : undefined,
        })
        // a gateway answers so when the server behind it is still at work
        const mayHaveRun = status >= 500 || status === 408
        return new ProviderError(message, status, {
          cause: error,
          isOutcomeUnknown: isOutcomeUnknown && mayHaveRun,
        })
      }
    }
  }
  return new ProviderError(`${name} did not answer as an MCP server does.`, undefined, {
    cause: error,
    isOutcomeUnknown,
  })
}

const isAboutVersion = (text: string) =>
  /protocol.?version|version.{0,40}(?:unsupported|not supported)|unsupported.{0,40}version/i.test(
    text.slice(0, 1_000),
  )

/** Why a server could not be connected, as far as its answers say. */
function describeHandshakeFailure(error: unknown, { answer }: TransportObservations): string {
  const causes = [...walkCauses(error)]
  const refusal = causes.find((cause) => cause instanceof ProtocolError)
  const httpError = causes.find((cause) => cause instanceof SdkHttpError)
  const said =
    refusal && refusal.code !== brokenAnswerCode
      ? refusal.message
      : httpError
        ? getBody(httpError)
        : (answer?.text ?? '')
  if (
    isAboutVersion(said) ||
    causes.some(({ message }) => message.includes('protocol version is not supported'))
  )
    return `The server accepts none of the protocol versions that are spoken here.${quote(said)}`
  if (refusal && refusal.code !== brokenAnswerCode) return `The server refused the connection.${quote(said)}`
  const { status = 0, type = '' } = answer ?? {}
  const isPage = isWebPage({ type, text: said })
  if (isPage)
    return `A web page answered at this address${status >= 400 ? ` (${status})` : ''}, not an MCP server. Check the address: it often ends in /mcp.`
  if (status >= 500)
    return `The server at this address has a fault of its own (${status}). Please try again later.`
  if (status === 429)
    return 'The server at this address takes no more requests right now. Please try again in a moment.'
  if (status >= 400) return `The server at this address refused the connection (${status}).${quote(said)}`
  if (answer) return `Something answered at this address, but not as an MCP server does.${quote(said)}`
  const isLate = causes.some(
    (cause) =>
      cause.name === 'TimeoutError' ||
      (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout),
  )
  return isLate
    ? 'Nothing answered at this address in time. Check the address, or try again later.'
    : 'No MCP server responded at this address.'
}

/** The server could not be connected, or its tools could not be listed. The message says what it answered. */
export class McpServerFailed extends AppError {
  readonly code = 'mcp_server_failed'
  readonly status = 502
  readonly userMessage: string

  constructor(error: unknown, observed: TransportObservations) {
    super('it did not answer as an MCP server does', { cause: error })
    this.userMessage = describeHandshakeFailure(error, observed)
  }
}
