import { parseJson } from '#shared/parse-json.ts'

/** Of an image's text: enough to tell it from others. */
const tailCharacters = 64
const maxPaths = 10

/** The path of an item in a request, as servers write it: `messages[3].content[1].image_url`, `messages.3.content.1.image.source`, `input[2].output`. */
const itemPath = /\b(messages|input)((?:\[\d{1,4}\]|\.\d{1,4}|\.[a-z_]{1,30}){1,12})/g

/** The texts of all images within a part of a request, each with the data that it holds. */
function listImageTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('data:image/') ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  const { type, data } = value as { type?: unknown; data?: unknown }
  if (type === 'base64' && typeof data === 'string') return [data]
  return Object.values(value).flatMap(listImageTexts)
}

/** The part of a request that a path leads to, as far as it leads: servers name types and fields that the request does not have. */
function follow(request: Record<string, unknown>, path: string): unknown {
  let at: unknown = request
  for (const name of path.match(/\w+/g) ?? []) {
    const next: unknown =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined
    if (next === undefined) break
    at = next
  }
  return at
}

/**
 * The images that a server's error names by their path in the request.
 * @param text of the error, parameters included
 * @param body of the request, as it was sent
 * @returns the end of each image's data
 */
export function findNamedImages(text: string, body: unknown): string[] {
  const paths = [...text.slice(0, 4_000).matchAll(itemPath)].slice(0, maxPaths).map(([path]) => path)
  if (paths.length === 0 || typeof body !== 'string') return []
  const request = parseJson(body)
  if (typeof request !== 'object' || request === null) return []
  const found = paths.flatMap((path) => listImageTexts(follow(request as Record<string, unknown>, path)))
  return [...new Set(found.map((image) => image.slice(-tailCharacters)))]
}
