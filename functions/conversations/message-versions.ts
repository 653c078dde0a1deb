import type { MessageWithVersions } from '#shared/contracts/sessions.ts'
import { listVersions, type Branches } from '../runs/branches.ts'
import type { PlacedMessage } from './message-repository.ts'

/** A user's message of a turn that has several versions tells which one it is, and how many there are. */
export function withVersions(
  message: PlacedMessage,
  branches: Branches | undefined,
): PlacedMessage & Pick<MessageWithVersions, 'versions'> {
  const turns = listVersions(branches, message.turn)
  if (message.place !== 'user' || turns.length === 1) return message
  return { ...message, versions: { shown: turns.indexOf(message.turn) + 1, count: turns.length } }
}
