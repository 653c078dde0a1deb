import { crc32, deflateSync } from 'node:zlib'

function chunk(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A grey PNG. @param chunks further ones, before its pixels. One of more than 16 million pixels has none of them. */
export function pngOf(width: number, height: number, chunks: Readonly<Record<string, string>> = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = width * height > 16_000_000 ? Buffer.alloc(0) : Buffer.alloc((width + 1) * height, 0x80)
  // each row begins with its filter
  for (let at = 0; at < rows.length; at += width + 1) rows[at] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...Object.entries(chunks).map(([name, content]) => chunk(name, Buffer.from(content))),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
