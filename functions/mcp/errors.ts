import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { sayServer } from '#shared/sentences/servers.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { parseJson } from '#shared/parse-json.ts'
import { McpNotConnected, type TransportObservations } from './connection.ts'
import { getHttpStatus, walkCauses } from './connection-errors.ts'
import { brokenAnswerCode, UnexpectedAnswer, type BrokenAnswer } from './read-responses.ts'
import { AddressForbidden, OutboundFailed, ResponseTooLarge } from '../platform/net/outbound-http.ts'
import { toProviderError } from '../providers/errors.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { isReconnectRequired } from '../providers/reconnect-required.ts'
import { AppError } from '../platform/errors.ts'
import { cleanText, plainLine } from '../platform/untrusted-text.ts'

const responseData = z.object({ text: z.string() })

/** @returns the text of an error response; empty if there is none */
const getBody = ({ data }: SdkHttpError): string => responseData.safeParse(data).data?.text ?? ''

const isWebPage = ({ type, text }: Pick<UnexpectedAnswer, 'type' | 'text'>) =>
  type === 'text/html' || /^\s*<(?:!doctype html|html)\b/i.test(text)

const quote = (text: string) => plainLine(text, 200)

const brokenAnswers = {
  lost: 'provider_no_answer.broke_off',
  'too large': 'provider_bad_answer.too_large_ask_less',
  unreadable: 'provider_bad_answer',
} as const satisfies Record<BrokenAnswer, string>

const isBrokenAnswer = (message: string): message is BrokenAnswer => Object.hasOwn(brokenAnswers, message)

/** What became of a request without a readable answer; undefined for other errors. */
function describeUnknownOutcome(name: string, cause: Error): Sentence | undefined {
  if (cause instanceof ProtocolError && cause.code === brokenAnswerCode && isBrokenAnswer(cause.message))
    return sayTool(brokenAnswers[cause.message], { name })
  if (cause instanceof ResponseTooLarge) return sayTool(brokenAnswers['too large'], { name })
  if (cause instanceof OutboundFailed) return sayTool('provider_no_answer', { name })
  if (cause instanceof UnexpectedAnswer)
    return isWebPage(cause)
      ? sayTool('provider_bad_answer.web_page', { name })
      : sayTool('provider_bad_answer.not_mcp', { name, said: quote(cause.text) })
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return sayTool('provider_no_answer.late', { name })
  if (cause instanceof SdkError && cause.code === SdkErrorCode.ConnectionClosed)
    return sayTool('provider_no_answer.lost', { name })
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
      return new ProviderError(sayTool('provider_address', { name }), undefined, { cause: error })
    const unknownOutcome = describeUnknownOutcome(name, cause)
    if (unknownOutcome !== undefined)
      return new ProviderError(unknownOutcome, undefined, { cause: error, isOutcomeUnknown })
    if (cause instanceof ProtocolError) {
      const message = cleanText(cause.message, 1_000) + describeData(cause.data)
      return new ProviderError(sayTool('server_refused_call', { name, message }), undefined, { cause })
    }
    if (cause instanceof InsufficientScopeError || cause instanceof SdkHttpError) {
      const status = getHttpStatus(cause)
      if (status !== undefined && status >= 400) {
        const { sentences } = toProviderError(name, {
          status,
          headers: errorHeaders ?? new Headers(),
          body: cause instanceof SdkHttpError ? parseJson(getBody(cause)) : undefined,
        })
        // a gateway answers so when the server behind it is still at work
        const mayHaveRun = status >= 500 || status === 408
        return new ProviderError(sentences, status, {
          cause: error,
          isOutcomeUnknown: isOutcomeUnknown && mayHaveRun,
        })
      }
    }
  }
  return new ProviderError(sayTool('provider_bad_answer.not_mcp', { name, said: '' }), undefined, {
    cause: error,
    isOutcomeUnknown,
  })
}

const isAboutVersion = (text: string) =>
  /protocol.?version|version.{0,40}(?:unsupported|not supported)|unsupported.{0,40}version/i.test(
    text.slice(0, 1_000),
  )

/** Why a server could not be connected, as far as its answers say. */
function describeHandshakeFailure(error: unknown, { answer }: TransportObservations): Sentence {
  const causes = [...walkCauses(error)]
  const refusal = causes.find((cause) => cause instanceof ProtocolError)
  const httpError = causes.find((cause) => cause instanceof SdkHttpError)
  const answerText =
    refusal && refusal.code !== brokenAnswerCode
      ? refusal.message
      : httpError
        ? getBody(httpError)
        : (answer?.text ?? '')
  if (
    isAboutVersion(answerText) ||
    causes.some(({ message }) => message.includes('protocol version is not supported'))
  )
    return sayServer('mcp_server_failed.version', { said: quote(answerText) })
  if (refusal && refusal.code !== brokenAnswerCode)
    return sayServer('mcp_server_failed.refused', { said: quote(answerText) })
  const { status = 0, type = '' } = answer ?? {}
  const isPage = isWebPage({ type, text: answerText })
  if (isPage)
    return status >= 400
      ? sayServer('mcp_server_failed.error_page', { status })
      : sayServer('mcp_server_failed.web_page')
  if (status >= 500) return sayServer('mcp_server_failed.fault', { status })
  if (status === 429) return sayServer('mcp_server_failed.busy')
  if (status >= 400) return sayServer('mcp_server_failed.status', { status, said: quote(answerText) })
  if (answer) return sayServer('mcp_server_failed.other', { said: quote(answerText) })
  const isLate = causes.some(
    (cause) =>
      cause.name === 'TimeoutError' ||
      (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout),
  )
  return sayServer(isLate ? 'mcp_server_failed.late' : 'mcp_server_failed.none')
}

/** The server could not be connected, or its tools could not be listed. The message says what it answered. */
export class McpServerFailed extends AppError {
  readonly status = 502

  constructor(error: unknown, observed: TransportObservations) {
    const sentence = describeHandshakeFailure(error, observed)
    super(sentence, 'it did not answer as an MCP server does', { cause: error })
  }
}
