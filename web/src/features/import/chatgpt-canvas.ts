import type { LeftOutCounter } from './left-out.ts'
import { toLanguage } from './code-languages.ts'
import { findDocument, type Documents, type ExportedDocument } from './message-parts.ts'
import { parseFields, toFields, toList, toText, type Fields } from './read-values.ts'

/** Regular expressions that match the whole document. */
const wholePatterns = new Set([
  '.*',
  '.+',
  '^.*$',
  '(?s).*',
  '(?s)^.*$',
  '[\\s\\S]*',
  '[\\s\\S]+',
  '^[\\s\\S]*$',
])
/** Regular expressions that match its start, and its end. */
const startPatterns = new Set(['^', '\\A'])
const endPatterns = new Set(['$', '\\Z'])

/**
 * The document that a call of the canvas creates or changes.
 * @param result the message of the tool that answers the call
 * @returns `unchanged` if it has failed, only comments, or could not be repeated; undefined if the call is none of the canvas
 */
export function readCanvasCall(
  { id, call, content, result }: { id: string; call: string; content: Fields; result: Fields },
  documents: Documents | undefined,
  leftOut: LeftOutCounter,
): ExportedDocument | 'unchanged' | undefined {
  if (!call.startsWith('canmore.')) return undefined
  const answer = toText(toList(toFields(result['content'])['parts'])[0])
  const canvas = toFields(toFields(result['metadata'])['canvas'])
  const fields = parseFields(toText(content['text']) || toText(toList(content['parts'])[0]))
  if (/^(?:failed|error)/i.test(answer)) return 'unchanged'
  if (call === 'canmore.create_textdoc') {
    const created = createDocument(fields, toText(canvas['textdoc_id']) || id)
    if (!created) leftOut.add('missingDocuments')
    return created ?? 'unchanged'
  }
  if (call === 'canmore.comment_textdoc') {
    leftOut.add('documentComments', { count: Math.max(1, toList(fields['comments']).length) })
    return 'unchanged'
  }
  const key = toText(canvas['textdoc_id'])
  const before = findDocument(documents, (one) => key === '' || one.key === key) ?? findDocument(documents)
  const changed = before && applyUpdates(before.content, fields['updates'], leftOut)
  if (before === undefined) leftOut.add('documentChanges')
  return before && changed !== undefined && changed !== before.content
    ? { ...before, content: changed }
    : 'unchanged'
}

function createDocument({ name, type, content }: Fields, key: string): ExportedDocument | undefined {
  if (typeof content !== 'string') return undefined
  // `document`, or `code/python`
  const [, language = 'markdown'] = toText(type).split('/')
  return { key, name: toText(name), language: toLanguage(language), content }
}

function applyUpdates(content: string, updates: unknown, leftOut: LeftOutCounter): string {
  let changed = content
  const list = toList(updates).map(toFields)
  for (const { pattern, multiple, replacement } of list) {
    const next = applyUpdate(changed, toText(pattern), toText(replacement), { isMultiple: multiple === true })
    if (next === undefined) leftOut.add('documentChanges')
    else changed = next
  }
  if (list.length === 0) leftOut.add('documentChanges')
  return changed
}

/**
 * Applies a change whose pattern, a regular expression of Python, is made of texts with anything (`.*`) between them. Others are not tried: an
 * untrusted expression may take endless time.
 * @returns undefined for others, if the text does not have it, and if it has it at more places than are replaced
 */
function applyUpdate(
  text: string,
  pattern: string,
  replacement: string,
  { isMultiple }: { isMultiple: boolean },
): string | undefined {
  if (wholePatterns.has(pattern)) return replacement
  if (startPatterns.has(pattern)) return replacement + text
  if (endPatterns.has(pattern)) return text + replacement
  // the text itself: the model has not escaped it
  if (pattern !== '' && text.includes(pattern))
    return isMultiple ? text.split(pattern).join(replacement) : text.replace(pattern, () => replacement)
  const pieces = parsePattern(pattern)
  if (!pieces || /\\[1-9g]/.test(replacement)) return undefined
  let changed = ''
  let at = 0
  for (let count = 0; isMultiple || count === 0; count += 1) {
    const match = findPieces(text, pieces, at)
    if (!match) break
    if (count === maxMatches) return undefined
    changed += text.slice(at, match.start) + replacement
    at = match.end
  }
  return at === 0 ? undefined : changed + text.slice(at)
}

/**
 * The most places that one change replaces, and the most starting points of a pattern that are tried for each. More than a document needs, and
 * few enough that an untrusted change takes no endless time.
 */
const maxMatches = 200
const maxStarts = 10

/** A text, and what may stand before it: nothing, or anything, within the line or not, as much or as little as possible. */
interface Piece {
  literal: string
  gap: { isAcrossLines: boolean; isLazy: boolean } | undefined
}

/** The texts of an expression, with what stands between them. @returns undefined if it has other operators */
function parsePattern(pattern: string): Piece[] | undefined {
  const isDotAll = pattern.startsWith('(?s)')
  const pieces: Piece[] = [{ literal: '', gap: undefined }]
  for (let at = isDotAll ? 4 : 0; at < pattern.length;) {
    const gap = /^(\.|\[\\s\\S\])[*+](\?)?/.exec(pattern.slice(at, at + 10))
    if (gap) {
      pieces.push({ literal: '', gap: { isAcrossLines: isDotAll || gap[1] !== '.', isLazy: gap[2] === '?' } })
      at += gap[0].length
      continue
    }
    const character = readCharacter(pattern, at)
    const piece = pieces.at(-1)
    if (!character || !piece) return undefined
    piece.literal += character.text
    at += character.length
  }
  // a pattern that begins with a gap could begin anywhere
  return pieces[0]?.literal === '' ? undefined : pieces
}

/** A character that stands for itself. @returns undefined for an operator */
function readCharacter(pattern: string, at: number): { text: string; length: number } | undefined {
  const [first = '', second = ''] = pattern.slice(at, at + 2)
  if (first !== '\\') return '.*+?()[]{}|^$'.includes(first) ? undefined : { text: first, length: 1 }
  if (second === 'n') return { text: '\n', length: 2 }
  if (second === 't') return { text: '\t', length: 2 }
  return second === '' || /[A-Za-z0-9]/.test(second) ? undefined : { text: second, length: 2 }
}

/** The first place, from `from` on, that has the pieces in their order. */
function findPieces(text: string, pieces: readonly Piece[], from: number) {
  const [first, ...others] = pieces
  if (!first) return undefined
  let start = text.indexOf(first.literal, from)
  for (let tried = 0; start !== -1 && tried < maxStarts; tried += 1) {
    let end: number | undefined = start + first.literal.length
    for (const piece of others) end = end === undefined ? undefined : findEnd(text, piece, end)
    if (end !== undefined) return { start, end }
    start = text.indexOf(first.literal, start + 1)
  }
  return undefined
}

/** Where a piece ends that stands behind a gap from `from` on. */
function findEnd(text: string, { literal, gap }: Piece, from: number): number | undefined {
  const line = text.indexOf('\n', from)
  const limit = gap?.isAcrossLines || line === -1 ? text.length : line
  const start = gap?.isLazy ? text.indexOf(literal, from) : text.lastIndexOf(literal, limit)
  return start < from || start > limit ? undefined : start + literal.length
}
