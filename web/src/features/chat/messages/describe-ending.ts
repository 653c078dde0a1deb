import type { Message } from '#shared/contracts/messages.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { translateSentence } from '../../../lib/translate.ts'
import * as texts from './texts.tsx'

/** The quiet line below an unfinished reply. */
export function describeEnding(ended: NonNullable<Message['ended']>): string {
  switch (ended) {
    case 'stopped':
      return translateSentence(stoppedLine)
    case 'incomplete':
      return texts.incomplete
    case 'interrupted':
      return texts.interrupted
    case 'failed':
      return texts.cutOff
  }
}
