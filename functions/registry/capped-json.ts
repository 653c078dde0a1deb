import { readCapped } from '../platform/net/read-capped.ts'

/**
 * Reads a JSON response with a size limit.
 * @returns the parsed JSON
 * @throws Error that describes the problem
 */
export async function readCappedJson(response: Response, maxBytes: number): Promise<unknown> {
  const bytes = await readCapped(response, maxBytes, () => new Error('the answer is too large'))
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch (error) {
    throw new Error('the answer could not be read', { cause: error })
  }
}
