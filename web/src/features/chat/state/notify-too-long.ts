import { maxMessageCharacters } from '#shared/limits.ts'
import { showToast } from '../../../components/ui/toast.ts'
import * as texts from './texts.ts'

/** Says that the message in the composer is too long to be sent. */
export function notifyTooLong(): void {
  showToast('error', texts.tooLong, {
    id: 'too-long',
    description: texts.tooLongHint(maxMessageCharacters),
  })
}
