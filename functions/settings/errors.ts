import { maxMemories } from '#shared/limits.ts'
import { defineErrors } from '../platform/errors.ts'

export const { MemoryNotFound, MemoryChanged, TooManyMemories } = defineErrors({
  /** Unknown, deleted or another user's: the response does not say which. */
  MemoryNotFound: [404, 'memory_not_found', 'This memory does not exist any more.'],
  /** It was edited elsewhere after the caller read it. */
  MemoryChanged: [
    409,
    'memory_changed',
    'This memory was changed elsewhere in the meantime. Compare the texts and save again.',
  ],
  TooManyMemories: [
    409,
    'too_many_memories',
    `The memory is full: it has room for ${maxMemories} entries. Delete some first.`,
  ],
})
