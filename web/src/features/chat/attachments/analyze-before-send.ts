import type { Attachment, Extraction } from '#shared/contracts/files.ts'
import type { ChatApi } from '../stream/chat-api.ts'
import type { DocumentAnalysis } from './analyze-documents.ts'

interface AnalyzeBeforeSendOptions {
  analyze: ChatApi['analyze']
  onProgress: DocumentAnalysis['onProgress']
  onAnalyzed: (attachmentId: string, reading: Extraction) => void
}

/** DOC-01: documents are read before the message that carries them goes. One message at a time. */
export function createDocumentAnalyzer({ analyze, onProgress, onAnalyzed }: AnalyzeBeforeSendOptions) {
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
    async analyze({ attachments }: { attachments: readonly Attachment[] }): Promise<boolean> {
      const controller = new AbortController()
      running = controller
      try {
        if (attachments.length > 0) {
          const { analyzeDocuments: readDocuments } = await import('./analyze-documents.ts')
          await readDocuments({
            files: attachments,
            analyze: (file) => analyze(file, controller.signal),
            onProgress,
            onAnalyzed: (file, { reading, text }) => {
              if (controller.signal.aborted) return
              if (text !== undefined) texts.set(file.id, text)
              onAnalyzed(file.id, reading)
            },
          })
        }
        return !controller.signal.aborted
      } catch (error) {
        if (controller.signal.aborted) return false
        throw error
      } finally {
        if (running === controller) running = undefined
      }
    },
  }
}
