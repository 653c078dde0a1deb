import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { AppError } from '../../platform/errors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'

/**
 * Says why a call failed, to the model, its user and apps. Only an error that was made for them says it itself: the message of any other one,
 * as of a bug or of AWS, may name what nobody else should read, and is for the log.
 * @param writes whether the call may have changed something before it failed
 */
export function sayFailure(error: unknown, writes: boolean): readonly Sentence[] {
  if (error instanceof AppError || isReconnectRequired(error)) return [error.sentence]
  if (error instanceof ToolError) return error.sentences
  logger.error('a call failed for no known reason', { error })
  return [sayTool('call_failed'), ...(writes ? [mayBeDone] : [])]
}
