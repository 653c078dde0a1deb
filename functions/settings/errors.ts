import { maxMemories } from '#shared/limits.ts'
import { AppError } from '../platform/errors.ts'

/** Unknown, deleted or another user's: the response does not say which. */
export class MemoryNotFound extends AppError {
  readonly code = 'memory_not_found'
  readonly status = 404
  readonly userMessage = 'This memory does not exist any more.'
}

/** It was edited elsewhere after the caller read it. */
export class MemoryChanged extends AppError {
  readonly code = 'memory_changed'
  readonly status = 409
  readonly userMessage =
    'This memory was changed elsewhere in the meantime. Compare the texts and save again.'
}

export class TooManyMemories extends AppError {
  readonly code = 'too_many_memories'
  readonly status = 409
  readonly userMessage = `The memory is full: it has room for ${maxMemories} entries. Delete some first.`
}
