import { t } from '@lingui/core/macro'
import { maxMessageCharacters } from '#shared/limits.ts'
import { showToast } from '../../components/ui/toast.ts'
import { formatCount } from '../../lib/text/locale.ts'

/**
 * A message as it is sent: without blank lines in front, and blanks at the end. The first of several lines keeps its indentation, which is that of
 * a piece of code or a list.
 */
export function trimMessage(text: string): string {
  const trimmed = text.trim()
  return trimmed.includes('\n') ? text.trimEnd().replace(/^\s*\n/, '') : trimmed
}

/** Shows a toast if a message is too long to be sent. @returns whether it is */
export function refuseTooLong(text: string): boolean {
  if (trimMessage(text).length <= maxMessageCharacters) return false
  showToast('warning', t`This message is too long`, {
    id: 'too-long',
    description: t`A message can have up to ${{ max: formatCount(maxMessageCharacters) }} characters.`,
  })
  return true
}
