import { plural, t } from '@lingui/core/macro'
import { formatList } from '../../../lib/locale.ts'

// reply-events
export function filesDeleted(names: readonly string[]) {
  const count = names.length
  const list = formatList(names.map((name) => t`“${name}”`))
  return plural(count, {
    1: `${list} was deleted, so your message was not sent.`,
    other: `${list} were deleted, so your message was not sent.`,
  })
}
