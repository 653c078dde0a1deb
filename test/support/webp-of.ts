type Chunk = readonly [name: string, content: Uint8Array | string]

/** A WebP of the given chunks, which need not be an image that can be drawn. */
export function webpOf(...chunks: readonly Chunk[]): Buffer {
  const body = chunks.flatMap(([name, content]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(content.length)
    return [Buffer.from(name, 'latin1'), length, Buffer.from(content), Buffer.alloc(content.length % 2)]
  })
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  header.writeUInt32LE(4 + body.reduce((sum, { length }) => sum + length, 0), 4)
  return Buffer.concat([header, ...body])
}
