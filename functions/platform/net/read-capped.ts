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
