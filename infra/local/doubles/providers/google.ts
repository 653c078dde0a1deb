import { invalidToken, paginate } from './double.ts'
import { json } from './http.ts'

/** An error in the form of Google's APIs. */
export const failure = (code: number, message: string, reason: string) =>
  json(code, { error: { code, message, errors: [{ domain: 'global', reason, message }] } })

export const googleUnauthorized = invalidToken({
  error: {
    code: 401,
    message: 'Request had invalid authentication credentials.',
    status: 'UNAUTHENTICATED',
    errors: [{ domain: 'global', reason: 'authError', message: 'Invalid Credentials' }],
  },
})

/** The page of a list that a query asks for, in the form of Google's lists. */
export function takePage<One>(found: readonly One[], query: URLSearchParams, sizeName: string, most: number) {
  const size = Math.min(most, Number(query.get(sizeName) ?? 100) || 100)
  const { page, next } = paginate(found, size, query.get('pageToken'))
  return { page, next: next !== undefined && { nextPageToken: next } }
}
