import { isRecord } from './fields.ts'

const maxPaths = 10

/**
 * The path of an item in a request, as servers write it: `messages[3].content[1].image_url`, `messages.3.content.1.image.source`,
 * `input[2].output`.
 */
const itemPath = /\b(messages|input)((?:\[\d{1,4}\]|\.\d{1,4}|\.[a-z_]{1,30}){1,12})/g

/** The parts of a request that a path passes, as far as it leads: servers name types and fields that the request does not have. */
function follow(request: unknown, path: string): unknown[] {
  const parts: unknown[] = []
  let at: unknown = request
  for (const name of path.match(/\w+/g) ?? []) {
    const next: unknown =
      (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
    if (next === undefined) break
    parts.push(next)
    at = next
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

/** The texts of all images within a part of a request, each with the data that it holds. */
export function listImageTexts(part: unknown): string[] {
  if (typeof part === 'string') return part.startsWith('data:image/') ? [part] : []
  if (typeof part !== 'object' || part === null) return []
  const { type, data } = part as { type?: unknown; data?: unknown }
  if (type === 'base64' && typeof data === 'string') return [data]
  return Object.values(part).flatMap(listImageTexts)
}
