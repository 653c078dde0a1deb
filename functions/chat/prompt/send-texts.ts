import { maxAnalysisCharacters } from '#shared/limits.ts'
import { capAnalysis } from '../../documents/analysis.ts'
import { toReading, type ReadingFileDeps } from '../../files/file-links.ts'
import { readTextRange } from '../../files/read-text-range.ts'
import type { OpenedReply } from '../reply.ts'
import { hasText } from './document-text.ts'
import type { PromptMessage } from './prompt.ts'

/**
 * Sends readers the texts of a message's documents. Those of a chat that is not stored are deleted with its reply, and later requests have
 * to bring their texts.
 * @throws ObjectStoreUnavailable
 */
export async function sendTexts(
  { files, store }: ReadingFileDeps,
  { sub, events }: Pick<OpenedReply, 'sub' | 'events'>,
  { attachments = [] }: PromptMessage,
): Promise<void> {
  const ids = attachments.flatMap(({ id }) => (id === '' ? [] : id))
  for (const file of (await files.findMany(sub, ids)).values()) {
    const reading = toReading(file)
    if (!reading || !hasText(file)) continue
    const { id, name } = file
    const text = await readTextRange(store, sub, file, { from: 0, to: maxAnalysisCharacters + 1 })
    if (text !== undefined)
      events.push({ type: 'data-reading', data: { id, name, reading, text: capAnalysis(text) } })
  }
}
