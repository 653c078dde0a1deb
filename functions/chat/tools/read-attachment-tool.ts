import * as z from 'zod'
import { maxAnalysisCharacters } from '#shared/limits.ts'
import { readDocumentText } from '../../documents/document-text.ts'
import type { MessageFileDeps } from '../../files/file-links.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'

interface Part {
  name: string
  from: number
  to: number
  of: number
  text: string
}

/**
 * Gives the model the rest of a long document: the caller's own files and no others, whatever id the model names.
 */
export function readAttachmentTool({ files, store }: MessageFileDeps, sub: string): Tool {
  return {
    name: 'read_attachment',
    title: 'Read attachment',
    description: 'Continues an attachment of this conversation beyond its beginning, by id.',
    parameters: zodParameters(
      z.object({
        id: z.string().max(64),
        from: z.number().int().nonnegative().default(maxAnalysisCharacters),
      }),
    ),
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 20_000,
    async run(input): Promise<Part> {
      const { id, from } = input as { id: string; from: number }
      const file = await files.find(sub, id).catch(() => undefined)
      const text = file?.state === 'ready' ? await readDocumentText(store, sub, id) : undefined
      if (!file || text === undefined)
        throw new Error('There is no attachment with this id whose text can be read.')
      if (from >= text.length) throw new Error(`The document ends at character ${text.length}.`)
      const to = Math.min(from + maxAnalysisCharacters, text.length)
      return { name: file.name, from, to, of: text.length, text: text.slice(from, to) }
    },
    // the document is stored already; the conversation keeps only which part was read
    toStoredResult: (result) => {
      const { text: _, ...part } = result as Part
      return part
    },
  }
}
