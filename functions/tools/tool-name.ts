import { createHash } from 'node:crypto'

/** Maximum length of a tool's name that models accept. */
const maxCharacters = 64

/** Replaces characters that a tool's name may not contain. */
export const slug = (text: string) => text.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '')

/**
 * The name under which a model is offered a tool of a connection: the same one every time. Whatever had to be cut or replaced is
 * told apart by a few letters of its hash.
 * @param owner id of the connection @param tool the tool's own name
 */
export function toolName(owner: string, tool: string): string {
  const name = [slug(owner), slug(tool)].filter((part) => part !== '').join('_')
  const isUnchanged = slug(tool) === tool && tool !== '' && name.length <= maxCharacters
  if (isUnchanged) return name
  const hash = createHash('sha256').update(`${owner}\n${tool}`).digest('hex').slice(0, 8)
  return `${name.slice(0, maxCharacters - hash.length - 1)}_${hash}`
}
