import { AppError } from '../platform/errors.ts'

/** An app of a server cannot be shown. */
export class AppNotShown extends AppError {
  readonly code = 'app_not_shown'
  readonly status = 502
  readonly sentence: string

  /** @param sentence says why */
  constructor(sentence: string, options?: { cause?: unknown }) {
    super('the app cannot be shown', options)
    this.sentence = sentence
  }
}
