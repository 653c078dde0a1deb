import type { LeftOutCounter } from './left-out.ts'
import { findDocument, toLanguage, type Documents, type ExportedDocument } from './message-parts.ts'
import { parseFields, toFields, toList, toText, type Fields } from './read-values.ts'

/** Patterns that stand for the whole document. */
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
/** Patterns of its start and its end. */
const startPatterns = new Set(['^', '\\A'])
const endPatterns = new Set(['$', '\\Z'])

/**
 * What a call of the canvas makes of its documents.
 * @param result the message of the tool that answers the call
 * @returns undefined if the call is none of the canvas
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
    const next = applyUpdate(changed, toText(pattern), toText(replacement), multiple === true)
    if (next === undefined) leftOut.add('documentChanges')
    else changed = next
  }
  if (list.length === 0) leftOut.add('documentChanges')
  return changed
}

/**
 * Applies a change whose pattern, a regular expression of Python, stands for the whole text, for one of its ends, or for a text as it is.
 * Others are not tried: an expression of a stranger may take endless time.
 * @returns undefined for others, and if the text does not have it
 */
function applyUpdate(
  text: string,
  pattern: string,
  replacement: string,
  isMultiple: boolean,
): string | undefined {
  if (wholePatterns.has(pattern)) return replacement
  if (startPatterns.has(pattern)) return replacement + text
  if (endPatterns.has(pattern)) return text + replacement
  for (const literal of [pattern, unescapePattern(pattern)]) {
    if (literal === undefined || literal === '' || !text.includes(literal)) continue
    return isMultiple ? text.split(literal).join(replacement) : text.replace(literal, () => replacement)
  }
  return undefined
}

/** The text that an expression without operators stands for. @returns undefined if it has any */
function unescapePattern(pattern: string): string | undefined {
  let text = ''
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at)
    if (character !== '\\') {
      if ('.*+?()[]{}|^$'.includes(character)) return undefined
      text += character
      continue
    }
    at += 1
    const escaped = pattern.charAt(at)
    if (escaped === 'n') text += '\n'
    else if (escaped === 't') text += '\t'
    else if (escaped === '' || /[A-Za-z0-9]/.test(escaped)) return undefined
    else text += escaped
  }
  return text
}
