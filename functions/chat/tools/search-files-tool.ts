import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { ToolError } from '../../platform/tool-error.ts'
import * as z from 'zod'
import { fold } from '#shared/text-compare.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import { needsVectors, type StoredFile } from '../../files/file-row.ts'
import type { FoundPassage, NotSearched } from '../../files/search-index/search-files.ts'
import type { EmbeddingModel } from '../../models/embedding-model.ts'
import type { Spending } from '../reply-budget.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { explainNoText, hasText } from '../prompt/document-text.ts'

const maxPassages = 8
const maxWordings = 8

const wording = z.string().trim().min(1).max(300)
const parameters = z.object({
  wordings: z
    .array(wording)
    .min(1)
    .max(maxWordings)
    .describe(
      'the same question in several ways: its words, synonyms, other terms for it, and translations into the languages of the files',
    ),
  files: z.array(z.string().max(300)).max(50).optional().describe('ids or names; by default all files'),
})

/** What models call it as well: one wording as `query`, a text in place of a list, nothing in place of no files. */
const tolerant = z.preprocess((input) => {
  const { query, wordings = query, files, ...rest } = input as Record<string, unknown>
  const list = (value: unknown) => (typeof value === 'string' ? [value] : value)
  return {
    ...rest,
    wordings: list(wordings),
    ...(files !== null && files !== undefined && { files: list(files) }),
  }
}, parameters)
const checked = zodParameters(tolerant)

/** Finds passages in the files of the conversation and its project. */
export function searchFilesTool(
  { store, startReading }: Pick<ReadingFileDeps, 'store' | 'startReading'>,
  {
    sub,
    listFiles,
    spending,
    embeddingModel,
  }: {
    sub: string
    listFiles: () => Promise<StoredFile[]>
    spending: Pick<Spending, 'reserve' | 'spend'>
    embeddingModel?: EmbeddingModel | undefined
  },
): Tool {
  return {
    name: 'search_files',
    title: 'Search files',
    description:
      'Searches the whole text of all files of this conversation and its project, and gives the passages that fit best. Give the question in several wordings: synonyms, other terms, translations. If nothing fits, search again with other wordings; read_attachment reads on around a passage, by id and position.',
    parameters: { ...zodParameters(parameters), check: (value) => checked.check(value) },
    writes: false,
    activity: 'document_analysis',
    // with the time for files that are being read
    timeoutMs: 50_000,
    async run(input, signal) {
      const { wordings, files } = input as z.infer<typeof parameters>
      const { wanted, unknown } = pickFiles(await listFiles(), files)
      const searchable = wanted.filter(hasText).filter(isIndexed)
      const missing = searchable.filter((file) => needsVectors(file, embeddingModel?.name, Date.now()))
      // a file from before the model was configured gets its vectors for later searches; this one does not wait
      if (missing.length > 0)
        await startReading(
          sub,
          missing.map(({ id }) => id),
        )
      const hasVectors = (file: StoredFile) => file.vectors_model === embeddingModel?.name
      const [{ searchFiles }, query] = await Promise.all([
        import('../../files/search-index/search-files.ts'),
        embeddingModel && searchable.some(hasVectors)
          ? import('./embed-wordings.ts').then(({ embedWordings }) =>
              embedWordings(embeddingModel, wordings, { spending, signal }),
            )
          : undefined,
      ])
      const result = await searchFiles(
        store,
        sub,
        searchable.map(({ id, name, vectors_model }) => ({ id, name, vectorsModel: vectors_model })),
        { wordings, limit: maxPassages, query },
      )
      const notSearched = [
        ...(result.not_searched ?? []),
        ...wanted.flatMap(explainNotSearched),
        ...unknown.map((name) => ({ name, why: sayOwnTool('not_searched.unknown') })),
      ]
      return { ...result, ...(notSearched.length > 0 && { not_searched: notSearched }) }
    },
    // the files are stored already; the conversation keeps only which parts were found
    toStoredResult(result) {
      const { passages, ...rest } = result as { passages: readonly FoundPassage[] }
      return {
        ...rest,
        passages: passages.map(({ id, name, from, to, place }) => ({
          id,
          name,
          from,
          to,
          ...(place !== undefined && { place }),
        })),
      }
    },
  }
}

const isIndexed = ({ text }: StoredFile) => text?.isIndexed === true

/**
 * @param named ids or names; by default all files
 * @returns the files, and what names none
 * @throws ToolError if no file has any of the names
 */
function pickFiles(
  all: readonly StoredFile[],
  named: readonly string[] = [],
): { wanted: StoredFile[]; unknown: string[] } {
  if (named.length === 0) return { wanted: [...all], unknown: [] }
  const names = new Set(named.map(fold))
  const wanted = all.filter(({ id, name }) => names.has(fold(id)) || names.has(fold(name)))
  const known = new Set(wanted.flatMap(({ id, name }) => [fold(id), fold(name)]))
  if (wanted.length > 0) return { wanted, unknown: named.filter((name) => !known.has(fold(name))) }
  const files = all.map(({ id, name }) => `${name} (${id})`).join(', ')
  throw new ToolError(
    files === '' ? sayOwnTool('own_tool.no_files') : sayOwnTool('own_tool.no_file', { files }),
  )
}

function explainNotSearched(file: StoredFile): NotSearched[] {
  const { name, text, text_length: length = 0 } = file
  if (!hasText(file)) return [{ name, why: explainNoText(file) }]
  if (!isIndexed(file))
    return [{ name, why: sayOwnTool('not_searched.not_indexed', { tool: 'read_attachment' }) }]
  return text && text.characters < length
    ? [{ name, why: sayOwnTool('not_searched.cut', { characters: text.characters, of: length }) }]
    : []
}
