import { plural } from '../../../lib/plural.ts'

// reply-events
export const filesDeleted = (names: readonly string[]) => {
  const quoted = names.map((name) => `“${name}”`).join(', ')
  return plural(names.length, {
    one: `${quoted} was deleted, so your message was not sent.`,
    other: `${quoted} were deleted, so your message was not sent.`,
  })
}
