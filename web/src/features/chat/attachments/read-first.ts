import type { Attachment, Extraction } from '#shared/contracts/files.ts'
import type { ChatApi } from '../chat-api.ts'
import type { DocumentsToRead } from './read-documents.ts'

interface ReadFirstOptions {
  analyze: ChatApi['analyze']
  onProgress: DocumentsToRead['onProgress']
  onRead: (attachmentId: string, reading: Extraction) => void
}

/** DOC-01: documents are read before the message that carries them goes. One message at a time. */
export function createReadFirst({ analyze, onProgress, onRead }: ReadFirstOptions) {
  let running: AbortController | undefined
  /** by attachment: of a chat that is not kept, this page alone remembers what was read */
  const texts = new Map<string, string>()

  return {
    texts: texts as ReadonlyMap<string, string>,
    isRunning: () => running !== undefined,
    stop: () => {
      running?.abort()
      running = undefined
    },
    /** @returns whether the message may go: not after a stop */
    async read({ attachments }: { attachments: readonly Attachment[] }): Promise<boolean> {
      const own = new AbortController()
      running = own
      try {
        if (attachments.length > 0) {
          const { readDocuments } = await import('./read-documents.ts')
          await readDocuments({
            files: attachments,
            analyze: (file) => analyze(file, own.signal),
            onProgress,
            onRead: (file, { reading, text }) => {
              if (own.signal.aborted) return
              if (text !== undefined) texts.set(file.id, text)
              onRead(file.id, reading)
            },
          })
        }
        return !own.signal.aborted
      } catch (error) {
        if (own.signal.aborted) return false
        throw error
      } finally {
        if (running === own) running = undefined
      }
    },
  }
}
