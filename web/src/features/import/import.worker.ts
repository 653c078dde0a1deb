import type { ImportRequest, ImportResponse } from './import-worker-client.ts'
import {
  DownloadListError,
  NoConversationsError,
  openExport,
  type ExportReader,
  type SourcedConversation,
} from './read-export.ts'

/** A response ends with the conversation that reaches one of these: enough for some requests to the service, and little for the memory. */
const maxConversations = 50
const maxCharacters = 1_000_000

let reader: ExportReader | undefined
let conversations: AsyncIterator<SourcedConversation> | undefined

const countCharacters = ({ conversation: { messages } }: SourcedConversation) =>
  messages.reduce((sum, { content }) => sum + content.length, 0)

async function respond(request: ImportRequest): Promise<ImportResponse> {
  if (request.type === 'open') {
    reader = await openExport(request.files)
    conversations = reader.conversations[Symbol.asyncIterator]()
    return { type: 'opened', library: reader.library }
  }
  if (!reader || !conversations) throw new Error('no export is open')
  if (request.type === 'file') return { type: 'file', found: await reader.readFile(request.id, request.name) }
  const read: SourcedConversation[] = []
  let characters = 0
  let isDone = false
  while (!isDone && read.length < maxConversations && characters < maxCharacters) {
    const { value, done } = await conversations.next()
    isDone = done === true
    if (!done) {
      read.push(value)
      characters += countCharacters(value)
    }
  }
  const { totalBytes, getReadBytes, getLeftOut } = reader
  return {
    type: 'conversations',
    conversations: read,
    isDone,
    share: isDone || totalBytes === 0 ? 1 : Math.min(1, getReadBytes() / totalBytes),
    leftOut: getLeftOut(),
  }
}

function findReason(error: unknown) {
  if (error instanceof DownloadListError) return 'downloadList'
  return error instanceof NoConversationsError ? 'noConversations' : 'damaged'
}

addEventListener('message', ({ data }: MessageEvent<ImportRequest>) => {
  respond(data).then(
    (response) => postMessage(response),
    (error: unknown) => {
      postMessage({ type: 'failed', reason: findReason(error) } satisfies ImportResponse)
    },
  )
})
