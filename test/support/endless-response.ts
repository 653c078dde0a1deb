import type { ServerResponse } from 'node:http'

/**
 * Writes a response for as long as the client reads it.
 * @returns resolves when the connection is closed, with the bytes that were sent
 */
export function writeEndlessly(response: ServerResponse, block: Buffer): Promise<number> {
  let sent = 0
  const writeMore = () => {
    if (response.destroyed) return
    sent += block.length
    if (response.write(block)) setImmediate(writeMore)
    else response.once('drain', writeMore)
  }
  writeMore()
  return new Promise((resolve) => response.on('close', () => resolve(sent)))
}
