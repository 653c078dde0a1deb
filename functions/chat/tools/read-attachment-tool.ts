import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { ToolError } from '../../platform/tool-error.ts'
import * as z from 'zod'
import { maxAnalysisCharacters } from '#shared/limits.ts'
import { isDocument } from '#shared/file-kinds.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import { isRead } from '../../files/file-row.ts'
import { readPlace } from '../../files/places.ts'
import { readTextRange } from '../../files/read-text-range.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { explainNoText } from '../prompt/document-text.ts'
import { findReadFiles } from '../prompt/find-read-files.ts'

const parameters = z.object({
  id: z.string().max(64),
  from: z.number().int().nonnegative().default(0).describe('the first character'),
})

interface Part {
  name: string
  from: number
  to: number
  /** characters of the document */
  of: number
  /** of its first character: `page 17`; absent in a document without places */
  place?: string
  text: string
}

/**
 * Gives the model any part of a document: of the caller's own files and no others, whatever id the model names.
 */
export function readAttachmentTool({ files, store, startReading }: ReadingFileDeps, sub: string): Tool {
  return {
    name: 'read_attachment',
    title: 'Read attachment',
    description: `Reads a file of this conversation or its project, by id, from a character on: ${maxAnalysisCharacters} characters at a time.`,
    parameters: zodParameters(parameters),
    writes: false,
    activity: 'document_analysis',
    // with the time for a file that is being read
    timeoutMs: 40_000,
    async run(input): Promise<Part> {
      const { id, from } = input as { id: string; from: number }
      const file = (await findReadFiles({ files, startReading }, sub, [id])).get(id)
      if (file?.state !== 'ready') throw new ToolError(sayOwnTool('own_tool.no_attachment'))
      const { name, text: stored } = file
      if (!stored || !isRead(file) || !isDocument(file))
        throw new ToolError(sayOwnTool('own_tool.no_text', { name, why: explainNoText(file) }))
      const of = file.text_length ?? stored.characters
      if (from >= of) throw new ToolError(sayOwnTool('own_tool.document_end', { of }))
      if (from >= stored.characters)
        throw new ToolError(sayOwnTool('own_tool.document_cut', { of, characters: stored.characters }))
      const to = from + maxAnalysisCharacters
      const text = await readTextRange(store, sub, { id, text: stored }, { from, to })
      if (text === undefined)
        throw new ToolError(sayOwnTool('own_tool.no_text', { name, why: sayOwnTool('no_text.gone') }))
      const place = await readPlace(store, sub, { id, text: stored }, from)
      return { name, from, to: from + text.length, of, ...(place !== undefined && { place }), text }
    },
    // the document is stored already; the conversation keeps only which part was read
    toStoredResult: (result) => {
      const { text: _, ...part } = result as Part
      return part
    },
  }
}
