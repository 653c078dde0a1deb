import type { Table } from '../platform/table.ts'
import { logRepository, type LogRepository } from '../runs/log-repository.ts'
import { runRepository, type RunRepository } from '../runs/run-repository.ts'
import { messageRepository, type MessageRepository } from './message-repository.ts'
import { sessionRepository, type SessionRepository } from './session-repository.ts'

/** Everything that is kept of conversations. */
export interface Stores {
  readonly sessions: SessionRepository
  readonly messages: MessageRepository
  readonly runs: RunRepository
  readonly logs: LogRepository
}

export const openStores = (table: Table): Stores => ({
  sessions: sessionRepository(table),
  messages: messageRepository(table),
  runs: runRepository(table),
  logs: logRepository(table),
})
