import { sayPlatform } from '#shared/sentences/platform.ts'
import { AppError } from '../errors.ts'

export interface HttpResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
}

/** Headers of every JSON response: not cached, not sniffed. */
export const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Turns an error into a response: `{success:false, error, code, params, requestId}`, `params` where the sentence has some, and
 * `attachmentIds` where the error names files. Errors other than AppError give 500 without details.
 */
export function errorResponse(error: unknown, requestId: string): HttpResponse {
  const known = error instanceof AppError ? error : undefined
  const status = known?.status ?? 500
  const { text, code, params } = known?.sentence ?? sayPlatform('internal_error')
  return {
    statusCode: status,
    headers: {
      ...jsonHeaders,
      ...(known?.retryAfterSeconds !== undefined && { 'retry-after': String(known.retryAfterSeconds) }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
    body: JSON.stringify({
      success: false,
      error: text,
      code,
      params,
      requestId,
      ...(known?.attachmentIds && { attachmentIds: known.attachmentIds }),
    }),
  }
}
