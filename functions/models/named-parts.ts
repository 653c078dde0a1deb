import { isRecord } from './fields.ts'

const maxPaths = 10

/**
 * The path of an item in a request, as servers write it: `messages[3].content[1].image_url`, `messages.3.content.1.image.source`,
 * `input[2].output`.
 */
const itemPath = /\b(messages|input)((?:\[\d{1,4}\]|\.\d{1,4}|\.[a-zA-Z_]{1,30}){1,16})/g

/**
 * The parts of a request that a path passes, as far as it leads. Servers name types between the fields, as Anthropic does
 * (`messages.2.content.0.tool_result.content.2.image.source.base64.data`): a name that the request does not have is passed over.
 */
function follow(request: unknown, path: string): unknown[] {
  const parts: unknown[] = []
  let at: unknown = request
  for (const name of path.match(/\w+/g) ?? []) {
    const next: unknown =
      (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
    if (next !== undefined) parts.push((at = next))
    else if (/^\d/.test(name)) break
  }
  return parts
}

/**
 * The parts of a request that a server's error names by their path.
 * @param text of the error, parameters included
 * @returns for each path the parts that it passes, the innermost last
 */
export const findNamedParts = (text: string, request: object | string): unknown[][] =>
  [...text.slice(0, 4_000).matchAll(itemPath)]
    .slice(0, maxPaths)
    .map(([path]) => follow(request, path))
    .filter((parts) => parts.length > 0)

/** The texts of all images within the innermost object that a path names, each with the data that it holds. */
export const listNamedImages = (parts: readonly unknown[]): string[] =>
  listImageTexts(parts.findLast((part) => typeof part === 'object'))

function listImageTexts(part: unknown): string[] {
  if (typeof part === 'string') return part.startsWith('data:image/') ? [part] : []
  if (typeof part !== 'object' || part === null) return []
  const { type, data } = part as { type?: unknown; data?: unknown }
  if (type === 'base64' && typeof data === 'string') return [data]
  return Object.values(part).flatMap(listImageTexts)
}
