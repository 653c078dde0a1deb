import type { Attachment } from '#shared/contracts/files.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { ReplyLog } from '../../conversations/store/reply-log.ts'
import { createFileTool } from './create-file-tool.ts'
import { generateImageTool } from './generate-image-tool.ts'
import type { EmbeddingModel } from '../../models/embedding-model.ts'
import type { Source } from '../../models/model.ts'
import type { ImageModel } from '../../models/image-model.ts'
import type { Spending } from '../reply-budget.ts'
import { queryTableTool, type QueryTables } from './query-table-tool.ts'
import type { ResultTable } from './result-tables.ts'
import { readAttachmentTool } from './read-attachment-tool.ts'
import { readPageTool } from './read-page-tool.ts'
import { searchFilesTool } from './search-files-tool.ts'
import { searchWebTool, type SearchWeb } from './search-web-tool.ts'
import type { Tool } from '../../tools/calls/tool.ts'
import { addSource } from '../round-writer.ts'

/** How replies read and search the web; undefined: they do not. */
export interface WebPages {
  /** every page waits for approval, typed or not */
  asks: boolean
  outboundAllow: string | undefined
  /** undefined: no search service is configured */
  search: SearchWeb | undefined
}

interface AssistantToolsInput {
  sub: string
  events: ReplyLog
  spending: Spending
  /** the files of the conversation and its project */
  listFiles: () => Promise<StoredFile[]>
  /** the lists that tools returned in the reply */
  listResultTables: () => readonly ResultTable[]
  /** undefined for a conversation that is not stored */
  sessionId?: string | undefined
  isSaved?: boolean
  /** the model's own server may search the web */
  mayBillSearches?: boolean
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
    webPages,
  }: {
    fileDeps: ReadingFileDeps
    imageModel: ImageModel | undefined
    embeddingModel?: EmbeddingModel | undefined
    queryTables: QueryTables
    webPages?: WebPages | undefined
  },
  {
    sub,
    events,
    spending,
    listFiles,
    listResultTables,
    sessionId,
    isSaved,
    mayBillSearches,
  }: AssistantToolsInput,
): Tool[] {
  const onFile = (file: Attachment) => {
    if (file.url) events.push({ type: 'file', url: file.url, mediaType: file.type })
    events.push({ type: 'data-attachment', data: file })
  }
  const onSource = (source: Source) => addSource(events, source)
  return [
    readAttachmentTool(fileDeps, sub),
    searchFilesTool(fileDeps, { sub, listFiles, spending, embeddingModel }),
    queryTableTool(fileDeps, sub, { listFiles, listResultTables, queryTables }),
    ...(webPages
      ? [
          readPageTool({
            fileDeps,
            sub,
            sessionId: isSaved ? sessionId : undefined,
            outboundAllow: webPages.outboundAllow,
            onSource,
            onFile: (file) => events.push({ type: 'data-attachment', data: file }),
          }),
          ...(webPages.search && !mayBillSearches ? [searchWebTool(webPages.search, onSource)] : []),
        ]
      : []),
    createFileTool(fileDeps, { sub, sessionId, listFiles, listResultTables, queryTables, onFile }),
    ...(imageModel ? [generateImageTool(fileDeps, { sub, imageModel, spending, onImage: onFile })] : []),
  ]
}
