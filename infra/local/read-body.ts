import type { IncomingMessage } from 'node:http'

/** How much of a too large body is read and dropped, so that the client gets a response instead of a reset. */
const maxDrainBytes = 200 * 1024 * 1024

/**
 * Reads the body of a request.
 * @throws the error that `tooLarge` creates, after the client has sent everything
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  tooLarge: (bytes: number) => Error,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
    if (size > maxDrainBytes) break
  }
  if (size > maxBytes) throw tooLarge(size)
  return Buffer.concat(chunks)
}
