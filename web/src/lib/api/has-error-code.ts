import { ApiError } from './api-errors.ts'

/** Whether the error is a response of the API with this code. */
export const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code
