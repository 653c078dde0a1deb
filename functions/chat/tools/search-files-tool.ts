import * as z from 'zod'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import type { FileIndex, FoundPassage } from './file-index.ts'

/** Finds passages in the files of the conversation's project. The index is made by the first search of a reply. */
export function searchFilesTool(store: ObjectStore, sub: string, files: readonly Attachment[]): Tool {
  let opening: Promise<FileIndex> | undefined
  const open = async () => {
    const { openFileIndex } = await import('./file-index.ts')
    return openFileIndex(store, sub, files)
  }
  return {
    name: 'search_files',
    title: 'Search files',
    description:
      'Searches the files of the project for words and gives the passages that have them, best first. Search again with other words if nothing fits; read_attachment reads on after a passage, by id and position.',
    parameters: zodParameters(
      z.object({ query: z.string().trim().min(1).max(300).describe('words that the passage would have') }),
    ),
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 25_000,
    async run(input) {
      opening ??= open()
      try {
        return (await opening).search(String(input['query']))
      } catch (error) {
        // the next search tries again
        opening = undefined
        throw error
      }
    },
    // the files are stored already; the conversation keeps only which parts were found
    toStoredResult(result) {
      const { passages, ...rest } = result as { passages: readonly FoundPassage[] }
      return { ...rest, passages: passages.map(({ id, name, from, to }) => ({ id, name, from, to })) }
    },
  }
}
