import { createHash } from 'node:crypto'
import { trimCharacters } from '#shared/trim-characters.ts'

/** Maximum length of a tool's name that models accept. */
const maxCharacters = 64

/** Replaces characters that a tool's name may not contain. */
export const toSlug = (text: string) =>
  trimCharacters(text.replace(/[^A-Za-z0-9_-]+/g, '_'), (character) => character === '_')

/**
 * The stable name of a connection's tool for the model. A hash distinguishes names that had to be changed.
 * @param prefix id of the connection
 * @param tool the tool's own name
 */
export function buildToolName(prefix: string, tool: string): string {
  const name = [toSlug(prefix), toSlug(tool)].filter((part) => part !== '').join('_')
  const isUnchanged = toSlug(tool) === tool && tool !== '' && name.length <= maxCharacters
  if (isUnchanged) return name
  const hash = createHash('sha256').update(`${prefix}\n${tool}`).digest('hex').slice(0, 8)
  return `${name.slice(0, maxCharacters - hash.length - 1)}_${hash}`
}
