import { expect, it, vi } from 'vitest'
import { sayTool } from '#shared/sentences/tools.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import { TooManyMemories } from '../../settings/errors.ts'
import { sayFailure } from './say-failure.ts'

const callFailed = sayTool('call_failed')

it('a call that failed says what was written for its user', () => {
  const logError = vi.spyOn(logger, 'error')
  const sentences = [sayTool('provider_no_answer', { name: 'Slack' }), mayBeDone]
  expect(sayFailure(new ToolError(sentences), true)).toEqual(sentences)
  const refusal = new TooManyMemories('100 of 100')
  expect(sayFailure(refusal, true)).toEqual([refusal.sentence])
  const lost = new ReconnectRequired({ mcpId: 'slack', name: 'Slack' })
  expect(sayFailure(lost, true)).toEqual([lost.sentence])
  expect(logError).not.toHaveBeenCalled()
})

it('of any other error it says nothing, and the log has it', () => {
  const logError = vi.spyOn(logger, 'error').mockImplementation(() => undefined)
  const denied = new Error('arn:aws:sts::111122223333:assumed-role/chat is not authorized')
  expect(sayFailure(denied, false)).toEqual([callFailed])
  expect(sayFailure(denied, true)).toEqual([callFailed, mayBeDone])
  expect(sayFailure('text', false)).toEqual([callFailed])
  expect(logError).toHaveBeenCalledWith('a call failed for no known reason', { error: denied })
})
