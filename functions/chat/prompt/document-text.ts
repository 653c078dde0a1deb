import { ownToolSentences, sayOwnTool } from '#shared/sentences/own-tools.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { readTextRange } from '../../files/read-text-range.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { maxExtractedCharacters } from '../../platform/limits.ts'
import { fileKind, isDocument } from '#shared/file-kinds.ts'

/** The part of a document's text that a prompt has. */
export interface GivenText {
  /** undefined: it is not stored any more */
  text: string | undefined
  isWhole: boolean
}

/** What a document that does not fit takes of the room that is left, and at most. */
const beginningShare = 1 / 2
const maxBeginningBytes = 24_000
/** A shorter beginning says too little. */
const minBeginningBytes = 1_000

/** A document whose text is stored. */
export type ReadDocument = StoredFile & { text: NonNullable<StoredFile['text']> }

/** Whether the file is a document that was read, and whose text is stored. */
export const hasText = (file: StoredFile | undefined): file is ReadDocument =>
  file !== undefined && isDocument(file) && isRead(file) && file.text !== undefined

/** So many rows are not read, they are calculated with. */
const largeRows = 100

/** Whether a beginning of a document's text would say less than what is said of its tables. */
export const hasLargeTable = ({ tables = [] }: Pick<StoredFile, 'tables'>): boolean =>
  tables.some(({ rows }) => rows >= largeRows)

/** The rows of a document that is calculated with; undefined for one that is read. */
export function countTableRows(file: Pick<StoredFile, 'tables'>): number | undefined {
  return hasLargeTable(file) ? (file.tables ?? []).reduce((sum, { rows }) => sum + rows, 0) : undefined
}

/** How many bytes of a document a prompt gets that has this room left: all, a beginning, or none. */
export function planBytes(file: ReadDocument, bytesLeft: number): number {
  const { text } = file
  if (text.bytes <= bytesLeft) return text.bytes
  if (hasLargeTable(file)) return 0
  const beginning = Math.min(maxBeginningBytes, Math.floor(bytesLeft * beginningShare))
  return beginning >= minBeginningBytes ? beginning : 0
}

/** Reads what was planned. @throws ObjectStoreUnavailable */
export async function readPlanned(
  store: ObjectStore,
  sub: string,
  file: ReadDocument,
  bytes: number,
): Promise<GivenText> {
  const { text, extracted_text: beginning = '' } = file
  const isWhole = bytes >= text.bytes
  // the row has the whole of a short text
  if (
    isWhole &&
    beginning !== '' &&
    text.characters === beginning.length &&
    beginning.length < maxExtractedCharacters
  )
    return { text: beginning, isWhole }
  const to = isWhole ? text.characters : Math.floor((bytes / text.bytes) * text.characters)
  const read = await readTextRange(store, sub, file, { from: 0, to })
  return { text: read, isWhole }
}

const formatNumber = (value: number) => value.toLocaleString('en')

/** What the tag of a document says: how much of it is given here, and what its text lacks. */
export function describeGiven(file: ReadDocument, given: GivenText | undefined): string {
  const { reading, text, text_length: length = text.characters } = file
  const of = `${formatNumber(length)} characters`
  const rest = 'read on with read_attachment, or find passages with search_files'
  const use = !given
    ? `${hasLargeTable(file) ? 'its tables are calculated with query_table; its text is ' : ''}not given here for its length of ${of}: ${rest}`
    : given.text === undefined
      ? textGone
      : given.isWhole && text.characters >= length
        ? 'given whole'
        : given.isWhole
          ? `given: the first ${formatNumber(text.characters)} of ${of}, more is not kept`
          : `given: the first ${formatNumber(given.text.length)} of ${of}; ${rest}`
  return reading?.note === undefined || reading.note === 'read in full' ? use : `${use}; ${reading.note}`
}

export const textGone = ownToolSentences['no_text.gone']

/** Why a file has no text. */
export function explainNoText(file: StoredFile): Sentence {
  if (!isDocument(file)) return sayOwnTool(fileKind(file) === 'archive' ? 'no_text.archive' : 'no_text.other')
  if (!isRead(file)) return sayOwnTool('no_text.reading')
  const { note, codes = [] } = file.reading ?? {}
  if (note === undefined) return sayOwnTool('no_text.unreadable_unsaid')
  const [code] = codes
  return sayOwnTool('no_text.unreadable', {
    note: code && codes.length === 1 ? ({ ...code, text: note } as Sentence) : note,
  })
}
