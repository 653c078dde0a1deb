import type { MessageWithVersions } from '#shared/contracts/messages.ts'
import { listVersions, type Branches } from './store/branches.ts'
import type { StoredMessage } from './store/message-repository.ts'

/** Adds to a user message with several versions which one it is, and how many there are. */
export function addVersions(
  message: StoredMessage,
  branches: Branches | undefined,
): StoredMessage & Pick<MessageWithVersions, 'versions'> {
  const turns = listVersions(branches, message.turn)
  if (message.slot !== 'user' || turns.length === 1) return message
  return { ...message, versions: { shown: turns.indexOf(message.turn) + 1, count: turns.length } }
}
