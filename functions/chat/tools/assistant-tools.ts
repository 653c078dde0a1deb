import type { Attachment } from '#shared/contracts/files.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { ReplyLog } from '../../conversations/store/reply-log.ts'
import { createFileTool } from './create-file-tool.ts'
import { generateImageTool } from './generate-image-tool.ts'
import type { EmbeddingModel } from '../../models/embedding-model.ts'
import type { ImageModel } from '../../models/image-model.ts'
import type { Spending } from '../reply-budget.ts'
import { queryTableTool, type QueryTables } from './query-table-tool.ts'
import type { ResultTable } from './result-tables.ts'
import { readAttachmentTool } from './read-attachment-tool.ts'
import { searchFilesTool } from './search-files-tool.ts'
import type { Tool } from '../../tools/calls/tool.ts'

interface AssistantToolsInput {
  sub: string
  /** the conversation, if it is stored */
  sessionId?: string | undefined
  events: ReplyLog
  spending: Spending
  /** the files of the conversation and its project */
  listFiles: () => Promise<StoredFile[]>
  /** the lists that tools returned in the reply */
  listResultTables: () => readonly ResultTable[]
}

/**
 * The product's own tools for one reply: reading and searching documents, calculating with their tables, and generating images if an image
 * model is configured. A conversation may get documents at any time, so their tools are there from its first request on: the beginning of
 * the prompt stays the same.
 */
export function assistantTools(
  {
    fileDeps,
    imageModel,
    embeddingModel,
    queryTables,
  }: {
    fileDeps: ReadingFileDeps
    imageModel: ImageModel | undefined
    embeddingModel?: EmbeddingModel | undefined
    queryTables: QueryTables
  },
  { sub, sessionId, events, spending, listFiles, listResultTables }: AssistantToolsInput,
): Tool[] {
  const onFile = (file: Attachment) => {
    if (file.url) events.push({ type: 'file', url: file.url, mediaType: file.type })
    events.push({ type: 'data-attachment', data: file })
  }
  return [
    readAttachmentTool(fileDeps, sub),
    searchFilesTool(fileDeps, { sub, listFiles, spending, embeddingModel }),
    queryTableTool(fileDeps, sub, { listFiles, listResultTables, queryTables }),
    createFileTool(fileDeps, { sub, sessionId, listFiles, listResultTables, queryTables, onFile }),
    ...(imageModel ? [generateImageTool(fileDeps, { sub, imageModel, spending, onImage: onFile })] : []),
  ]
}
