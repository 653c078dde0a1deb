import type { ConversationFiles } from '../files/conversation-files.ts'
import type { Attached } from '../files/file-links.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { logRepository, type LogRepository } from '../runs/log-repository.ts'
import { runRepository, type RunRepository } from '../runs/run-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { shareRepository, type ShareRepository } from '../shares/share-repository.ts'
import { messageRepository, type MessageRepository } from './message-repository.ts'
import { noSessionFiles, sessionFiles, type SessionFiles } from './conversation-files.ts'
import { sessionRepository, type SessionRepository } from './conversation-repository.ts'

/** Everything that is kept of conversations. */
export interface Stores {
  readonly sessions: SessionRepository
  readonly messages: MessageRepository
  readonly runs: RunRepository
  readonly logs: LogRepository
  readonly files: SessionFiles
  readonly shares: ShareRepository
}

/** @param attached the files of users; without them conversations are dealt with as if they had none */
export const openStores = (table: Table, attached?: Attached<ConversationFiles>): Stores => ({
  sessions: sessionRepository(table),
  messages: messageRepository(table),
  runs: runRepository(table),
  logs: logRepository(table),
  shares: shareRepository(table),
  files: attached ? sessionFiles(attached, settingsRepository(table)) : noSessionFiles,
})
