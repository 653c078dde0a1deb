import { isRecord, toText, type Fields } from '../fields.ts'

/** Fields of a message or a call that only its server understands. */
export type ServerFields = Record<string, unknown>

/** The fields without those of these names, and without empty ones. */
export const withoutFields = (fields: Fields, names: ReadonlySet<string>): ServerFields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !names.has(name) && value !== null && value !== ''),
  )

/** Names of fields whose pieces are put together; of others the last one counts. */
const textFields = new Set(['text', 'summary', 'data', 'thinking', 'arguments'])

/** Merges a piece of an entry of a list into the entry: OpenRouter and LiteLLM stream these like text. */
function addToEntry(entry: ServerFields, piece: ServerFields): ServerFields {
  const merged = { ...entry }
  for (const [name, value] of Object.entries(piece)) {
    const known = merged[name]
    if (value === null || value === undefined) continue
    merged[name] =
      textFields.has(name) && typeof known === 'string' && typeof value === 'string' ? known + value : value
  }
  return merged
}

/** Whether a piece continues the last entry of a list: both say so by place and type, or it is of thinking that has no signature yet. */
function continues(entry: unknown, piece: unknown): boolean {
  if (!isRecord(entry) || !isRecord(piece)) return false
  if (entry['index'] !== piece['index'] || entry['type'] !== piece['type']) return false
  return piece['index'] !== undefined || (piece['type'] === 'thinking' && toText(entry['signature']) === '')
}

/** A piece of signed thinking without what it repeats of the entry, where pieces have no place. */
function withoutRepeated(entry: ServerFields, piece: ServerFields): ServerFields {
  const [before, text] = [toText(entry['thinking']), toText(piece['thinking'])]
  const isSigned = piece['index'] === undefined && toText(piece['signature']) !== ''
  const isWhole = isSigned && before !== '' && text.startsWith(before)
  return isWhole ? { ...piece, thinking: text.slice(before.length) } : piece
}

function addToList(list: readonly unknown[], pieces: readonly unknown[]): unknown[] {
  const merged = [...list]
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (continues(last, piece)) {
      const [entry, more] = [last as ServerFields, piece as ServerFields]
      merged.splice(-1, 1, addToEntry(entry, withoutRepeated(entry, more)))
    } else merged.push(piece)
  }
  return merged
}

/** Of objects lists are extended, and of all else the last one counts. */
function addToObject(known: Fields, more: Fields): ServerFields {
  const merged: ServerFields = { ...known, ...more }
  for (const [name, value] of Object.entries(more)) {
    const before = known[name]
    if (Array.isArray(value)) merged[name] = addToList(Array.isArray(before) ? before : [], value)
  }
  return merged
}

/**
 * Puts the fields of one chunk to those before: texts are joined, lists extended, objects merged, of other values the last one counts.
 * OpenRouter wants its list back as it came: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning.
 * LiteLLM wants blocks of thinking, which it may send in pieces without a place: https://github.com/BerriAI/litellm/issues/29428.
 */
export function addFields(fields: ServerFields, more: Readonly<ServerFields>): void {
  for (const [name, value] of Object.entries(more)) {
    const known = fields[name]
    if (typeof known === 'string' && typeof value === 'string') fields[name] = known + value
    else if (Array.isArray(value)) fields[name] = addToList(Array.isArray(known) ? known : [], value)
    else if (isRecord(known) && isRecord(value)) fields[name] = addToObject(known, value)
    else fields[name] = value
  }
}
