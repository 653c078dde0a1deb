import { defineSentences } from './to-sentence.ts'

/** Errors of assistants. */
export const assistantSentences = {
  assistant_not_found: 'There is no such assistant here. It may have been withdrawn.',
  publish_conflict: 'This project was published or withdrawn elsewhere in the meantime. Please try again.',
  files_being_read: 'Some files of this project are still being read. Please publish it in a minute.',
  too_many_assistants: 'You have published {max} assistants, which is the most. Withdraw one first.',
  too_many_listed_assistants:
    'There are {max} assistants for this audience already, which is the most. Ask an administrator to withdraw some.',
  too_many_publishes_today: 'You have published as often as one day allows. Please try again tomorrow.',
  copy_not_allowed: 'Its publisher does not allow copies of this assistant.',
  copy_not_saved:
    'The instructions of this project come from somebody else. Read and save them on its page before you publish it.',
  'bad_request.not_your_group': 'You can publish for groups that you are in, and you are not in {names}.',
  'bad_request.too_many_groups': 'An assistant can be for {max} groups at most, or for everyone.',
  'bad_request.picture':
    'The picture has to be a PNG, JPEG or WebP that does not move, of {min} to {max} pixels a side.',
} as const

export const sayAssistant = defineSentences(assistantSentences)
