import { AppError } from '../errors.ts'

export interface HttpResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
}

/** Headers of every JSON answer: personal data is stored by no cache, and never read as anything else. */
export const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The only place that turns an error into a response (DEC-106): `{success:false, error, code, requestId}`.
 * What is no AppError is our own fault: 500 with a sentence that says nothing of its cause.
 */
export function errorResponse(error: unknown, requestId: string): HttpResponse {
  const known = error instanceof AppError ? error : undefined
  const status = known?.status ?? 500
  return {
    statusCode: status,
    headers: {
      ...jsonHeaders,
      ...(known?.retryAfterSeconds !== undefined && { 'retry-after': String(known.retryAfterSeconds) }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
    body: JSON.stringify({
      success: false,
      error: known?.sentence ?? 'Something went wrong on our side. Please try again.',
      code: known?.code ?? 'internal_error',
      requestId,
    }),
  }
}
