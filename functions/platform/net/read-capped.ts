/**
 * Reads a response's body to its end, or stops at the first byte too many.
 * @throws the error that `createError` creates
 */
export async function readCapped(
  { body }: Response,
  maxBytes: number,
  createError: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.length
    if (size > maxBytes) throw createError()
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

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
