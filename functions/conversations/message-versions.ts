import type { MessageWithVersions } from '#shared/contracts/messages.ts'
import { listVersions, type Branches } from './store/branches.ts'
import { toReadMessage, type StoredMessage } from './store/message-row.ts'

/** Adds to a user message with several versions which one it is, and how many there are. */
export function addVersions(
  message: StoredMessage,
  branches: Branches | undefined,
): StoredMessage & Pick<MessageWithVersions, 'versions'> {
  const turns = listVersions(branches, message.turn)
  if (message.kind !== 'user' || turns.length === 1) return message
  return { ...message, versions: { shown: turns.indexOf(message.turn) + 1, count: turns.length } }
}

/** A message as exports have it: with its turn, so that an import finds what it is a version of. */
export type ExportedMessage = MessageWithVersions & { turn: number }
export const toExportedMessage = (
  message: StoredMessage,
  branches: Branches | undefined,
): ExportedMessage => ({ ...toReadMessage(addVersions(message, branches)), turn: message.turn })

/** Which turns follow another one than the one before; absent if all do. */
export const toExportedForks = (branches: Branches | undefined) =>
  branches && branches.forks.length > 0
    ? { forks: branches.forks.map(({ turn, versionOf, after }) => ({ turn, version_of: versionOf, after })) }
    : {}
