import { maxMemories } from '#shared/limits.ts'
import { accountSentences } from '#shared/sentences/account.ts'
import { defineErrors } from '../platform/errors.ts'

export const { MemoryNotFound, MemoryChanged, TooManyMemories } = defineErrors(accountSentences, {
  /** Unknown, deleted or another user's: the response does not say which. */
  MemoryNotFound: [404, 'memory_not_found'],
  /** It was edited elsewhere after the caller read it. */
  MemoryChanged: [409, 'memory_changed'],
  TooManyMemories: [409, 'too_many_memories', { params: { max: maxMemories } }],
})
