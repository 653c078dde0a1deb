import { describeReading } from '../../functions/documents/analysis.ts'
import type { ExtractedText } from '../../functions/documents/extracted-text.ts'
import { toParsedDocument } from '../../functions/documents/parser-contract.ts'
import type { StoredFile } from '../../functions/files/file-row.ts'
import { encodeText, readerVersion } from '../../functions/files/stored-text.ts'
import { maxExtractedCharacters } from '../../functions/platform/limits.ts'

/** The row of a document that the service has read. */
export function aReadDocument(id: string, text: string, changes: Partial<StoredFile> = {}): StoredFile {
  const { bytes, parts } = encodeText(text)
  return {
    id,
    name: `${id}.pdf`,
    type: 'application/pdf',
    size: 2_000,
    state: 'ready',
    created_at: '2026-11-21T12:00:00.000Z',
    reading: { status: 'whole', note: 'read in full' },
    reader_version: readerVersion,
    extracted_text: text.slice(0, maxExtractedCharacters),
    text_length: text.length,
    text: { characters: text.length, bytes: bytes.length, parts, languages: [], isIndexed: false },
    ...changes,
  }
}

/** A document that could not be read. */
export const anUnreadableDocument = (
  id: string,
  note: string,
  changes: Partial<StoredFile> = {},
): StoredFile => {
  const { text: _, extracted_text: __, text_length: ___, ...file } = aReadDocument(id, '')
  return { ...file, reading: { status: 'failed', note }, ...changes }
}

/**
 * What a store has of some texts, by file id. A text that is not there is not stored any more.
 * @param onRead is told the key and the range before it is read
 */
export const readRangeOf =
  (
    texts: Readonly<Record<string, string>>,
    onRead: (key: string, from: number, to: number) => unknown = () => undefined,
  ) =>
  async (key: string, from: number, to: number) => {
    await onRead(key, from, to)
    const text = Object.entries(texts).find(([id]) => key.includes(`/${id}/`))?.[1]
    return text === undefined
      ? undefined
      : { bytes: new TextEncoder().encode(text).slice(from, to), etag: '"1"' }
  }

/** What the row of a file says of a document with this text. */
export const readingOf = (extracted: ExtractedText) =>
  describeReading(toParsedDocument(extracted, encodeText(extracted.text), undefined))
