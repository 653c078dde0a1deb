import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { AppError } from '../errors.ts'
import type { Logger } from './logger.ts'
import { measure } from './metrics.ts'

interface RequestOutcome {
  requestId: string
  /** undefined if no route was found */
  route: string | undefined
  status: number
  durationMs: number
  error: unknown
}

/** The id of a request in logs and responses: API Gateway's, else Lambda's. */
export const getRequestId = (event: APIGatewayProxyEvent | undefined, context: Context) =>
  event?.requestContext?.requestId ?? context.awsRequestId ?? 'unknown'

/** The id of the X-Ray trace, if this call is sampled. */
function getTraceId(): string | undefined {
  const header = process.env['_X_AMZN_TRACE_ID'] ?? ''
  return header.includes('Sampled=1') ? /Root=([\w-]+)/.exec(header)?.[1] : undefined
}

/** Logs one line per request: route, status, duration; no content, no address. Server errors include their causes. */
export function logRequestOutcome(
  log: Logger,
  { requestId, route, status, durationMs, error }: RequestOutcome,
) {
  const known = error instanceof AppError ? error : undefined
  const isServerError = error !== undefined && error !== null && (known?.isFault ?? true)
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
      {
        [status >= 500 && known?.isFault !== false
          ? 'ServerErrors'
          : status === 429
            ? 'ThrottledCalls'
            : 'ClientErrors']: 1,
      },
      { requestId, ...(route !== undefined && { route }), ...(known && { code: known.code }) },
    )
}
