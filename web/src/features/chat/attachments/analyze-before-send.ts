import type { Attachment, Reading } from '#shared/contracts/files.ts'
import type { ChatApi } from '../stream/chat-api.ts'
import type { AnalyzeDocumentsOptions } from './analyze-documents.ts'

interface AnalyzeBeforeSendOptions {
  analyze: ChatApi['analyze']
  onProgress: AnalyzeDocumentsOptions['onProgress']
  onAnalyzed: (attachmentId: string, reading: Reading) => void
}

/** Analyses the documents of a message before it is sent. One message at a time. */
export function createDocumentAnalyzer({ analyze, onProgress, onAnalyzed }: AnalyzeBeforeSendOptions) {
  let runningAnalysis: AbortController | undefined
  /** by attachment id; a temporary chat has its extracted texts only here */
  const extractedTexts = new Map<string, string>()

  return {
    extractedTexts: extractedTexts as ReadonlyMap<string, string>,
    isRunning: () => runningAnalysis !== undefined,
    stop: () => {
      runningAnalysis?.abort()
      runningAnalysis = undefined
    },
    /** @returns false if it was stopped: then the message must not be sent */
    async analyze({ attachments }: { attachments: readonly Attachment[] }): Promise<boolean> {
      const controller = new AbortController()
      runningAnalysis = controller
      try {
        if (attachments.length > 0) {
          const { analyzeDocuments } = await import('./analyze-documents.ts')
          await analyzeDocuments({
            files: attachments,
            analyze: (file) => analyze(file, controller.signal),
            onProgress: (progress) => {
              if (!controller.signal.aborted) onProgress(progress)
            },
            onAnalyzed: (file, { reading, text }) => {
              if (controller.signal.aborted) return
              if (text !== undefined) extractedTexts.set(file.id, text)
              onAnalyzed(file.id, reading)
            },
          })
        }
        return !controller.signal.aborted
      } catch (error) {
        if (controller.signal.aborted) return false
        // ends the analysis of the other documents: the message has failed
        controller.abort()
        throw error
      } finally {
        if (runningAnalysis === controller) runningAnalysis = undefined
      }
    },
  }
}
