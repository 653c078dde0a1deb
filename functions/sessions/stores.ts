import type { Attachment } from '#shared/contracts/files.ts'
import { withLinks, type Attached } from '../files/file-links.ts'
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
  /** gives the attachments of messages their links, where the function has the files at hand */
  readonly links: <M extends { attachments: Attachment[] }>(
    sub: string,
    messages: readonly M[],
  ) => Promise<M[]>
}

const withoutFiles: Stores['links'] = async (_, messages) => [...messages]

/** @param attached the files of users; without them attachments come without links */
export const openStores = (table: Table, attached?: Attached): Stores => ({
  sessions: sessionRepository(table),
  messages: messageRepository(table),
  runs: runRepository(table),
  logs: logRepository(table),
  links: attached ? (sub, messages) => withLinks(attached, sub, messages) : withoutFiles,
})
