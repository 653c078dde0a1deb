import { AppError } from '../platform/errors.ts'

/** An app of a server cannot be shown. */
export class AppNotShown extends AppError {
  readonly code = 'app_not_shown'
  readonly status = 502
  readonly userMessage: string

  /** @param message says why */
  constructor(message: string, options?: { cause?: unknown }) {
    super('the app cannot be shown', options)
    this.userMessage = message
  }
}
