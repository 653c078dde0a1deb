import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { AppError } from '../errors.ts'
import type { Logger } from './logger.ts'
import { measure } from './metrics.ts'

/** An answered request. */
interface RequestOutcome {
  requestId: string
  /** undefined for an event that no route was found for */
  route: string | undefined
  status: number
  durationMs: number
  error: unknown
}

export const getRequestId = (event: APIGatewayProxyEvent | undefined, context: Context) =>
  event?.requestContext?.requestId ?? context.awsRequestId ?? 'unknown'

/** The trace that X-Ray keeps of this call, as Lambda tells it; of most calls in a busy second it keeps none. */
function getTraceId(): string | undefined {
  const header = process.env['_X_AMZN_TRACE_ID'] ?? ''
  return header.includes('Sampled=1') ? /Root=([\w-]+)/.exec(header)?.[1] : undefined
}

/** One line per request: route, status, time; no content, no address. A fault of ours brings its causes along. */
export function logRequestOutcome(
  log: Logger,
  { requestId, route, status, durationMs, error }: RequestOutcome,
) {
  const known = error instanceof AppError ? error : undefined
  const isServerError = error !== undefined && error !== null && (known?.status ?? 500) >= 500
  const traceId = getTraceId()
  log[isServerError ? 'error' : 'info']('request', {
    requestId,
    ...(traceId !== undefined && { traceId }),
    status,
    durationMs,
    ...(known && { code: known.code }),
    ...(isServerError && { error }),
  })
  if (status >= 400)
    measure(
      { [status >= 500 ? 'ServerErrors' : status === 429 ? 'ThrottledCalls' : 'ClientErrors']: 1 },
      { requestId, ...(route !== undefined && { route }), ...(known && { code: known.code }) },
    )
}
