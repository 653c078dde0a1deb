import type { MessageFileDeps } from '../../files/file-links.ts'
import type { StorageQuota } from '../../files/storage-quota.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { feedbackRepository, type FeedbackRepository } from '../../feedback/feedback-repository.ts'
import { logRepository, type LogRepository } from './log-repository.ts'
import { runRepository, type RunRepository } from './run-repository.ts'
import { settingsRepository } from '../../settings/settings-repository.ts'
import type { ShareRepository } from '../../shares/share-repository.ts'
import { messageRepository, type MessageRepository } from './message-repository.ts'
import { transcriptRepository, type TranscriptRepository } from './transcript-repository.ts'
import { summaryRepository, type SummaryRepository } from './summary-repository.ts'
import { messageFiles, type MessageFiles } from './message-files.ts'
import type { CopyRepository } from './copy-repository.ts'
import { conversationRepository, type ConversationRepository } from './conversation-repository.ts'

/** What conversations are read from and written to. */
export interface ConversationStores {
  readonly conversations: ConversationRepository
  readonly copies: CopyRepository
  readonly messages: MessageRepository
  readonly runs: RunRepository
  readonly logs: LogRepository
  readonly files: MessageFiles
  /** the part of texts in the user's storage */
  readonly texts: Pick<StorageQuota, 'reserveText' | 'releaseText'>
  readonly shares: ShareRepository
  readonly summaries: SummaryRepository
  readonly transcripts: TranscriptRepository
  readonly feedback: FeedbackRepository
  readonly schedules: {
    /** Stops the schedules of conversations, or of a project, that are deleted. Can be repeated. */
    pause(sub: string, of: { sessionIds: readonly string[] } | { projectId: string }): Promise<void>
  }
}

/** A repository that is loaded with the first call of one of its methods, which all return promises. */
const loadWithFirstCall = <Repository extends object>(load: () => Promise<Repository>): Repository =>
  new Proxy({} as Repository, {
    get:
      (_, name) =>
      async (...args: unknown[]) => {
        const repository = (await load()) as Record<string | symbol, (...args: unknown[]) => Promise<unknown>>
        return repository[name]?.(...args)
      },
  })

/** Opens the repositories of conversations. Those that the chat does not need are loaded with their first call. */
export const openConversationStores = (table: Table, fileDeps: MessageFileDeps): ConversationStores => ({
  conversations: conversationRepository(table),
  messages: messageRepository(table),
  runs: runRepository(table),
  logs: logRepository(table),
  // the chat, which has these stores too, copies and shares nothing
  copies: loadWithFirstCall(async () => {
    const { copyRepository } = await import('./copy-repository.ts')
    return copyRepository(table)
  }),
  shares: loadWithFirstCall(async () => {
    const { shareRepository } = await import('../../shares/share-repository.ts')
    return shareRepository(table)
  }),
  summaries: summaryRepository(table),
  transcripts: transcriptRepository(table),
  feedback: feedbackRepository(table),
  schedules: {
    async pause(sub, of) {
      const { pauseSchedules } = await import('../../schedules/pause-schedules.ts')
      if ('projectId' in of)
        await pauseSchedules(table, sub, (row) => row.project_id === of.projectId, 'project_deleted')
      else
        await pauseSchedules(
          table,
          sub,
          (row) => of.sessionIds.includes(row.session_id),
          'conversation_deleted',
        )
    },
  },
  texts: fileDeps.files,
  files: messageFiles(fileDeps, settingsRepository(table)),
})
