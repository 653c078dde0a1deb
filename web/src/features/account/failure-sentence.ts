import { ApiError, NetworkError } from '../../lib/api-errors.ts'

/** What to tell about a call that failed. */
export function failureSentence(error: unknown): string {
  if (error instanceof ApiError) return error.sentence
  if (error instanceof NetworkError && !navigator.onLine)
    return 'You are offline. Please try again when you are back.'
  return 'The service could not be reached. Please try again.'
}
