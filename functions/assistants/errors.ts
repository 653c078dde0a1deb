import { assistantSentences } from '#shared/sentences/assistants.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'
import { maxAssistants, maxListedAssistants } from '../platform/limits.ts'

export const {
  AssistantNotFound,
  CopyNotAllowed,
  CopyNotSaved,
  PublishConflict,
  FilesBeingRead,
  TooManyAssistants,
  TooManyListedAssistants,
} = defineErrors(assistantSentences, {
  /** Unknown, withdrawn, suspended, or not for the caller: the response does not say which. */
  AssistantNotFound: [404, 'assistant_not_found'],
  CopyNotAllowed: [403, 'copy_not_allowed'],
  CopyNotSaved: [409, 'copy_not_saved'],
  PublishConflict: [409, 'publish_conflict'],
  FilesBeingRead: [409, 'files_being_read'],
  TooManyAssistants: [409, 'too_many_assistants', { params: { max: maxAssistants } }],
  TooManyListedAssistants: [409, 'too_many_listed_assistants', { params: { max: maxListedAssistants } }],
})

export const { TooManyPublishesToday } = defineLimits(assistantSentences, {
  TooManyPublishesToday: 'too_many_publishes_today',
})
