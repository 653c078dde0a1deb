/**
 * The files of a zip whose entries are stored as they are, read by its central directory.
 * @throws Error when the end is missing, as in a truncated archive
 */
export function unzip(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (end < 0) throw new Error('the archive has no end')
  const files = new Map<string, string>()
  let offset = zip.readUInt32LE(end + 16)
  for (let entriesLeft = zip.readUInt16LE(end + 10); entriesLeft > 0; entriesLeft -= 1) {
    const size = zip.readUInt32LE(offset + 20)
    const nameLength = zip.readUInt16LE(offset + 28)
    const next = offset + 46 + nameLength + zip.readUInt16LE(offset + 30) + zip.readUInt16LE(offset + 32)
    const name = zip.toString('utf8', offset + 46, offset + 46 + nameLength)
    const local = zip.readUInt32LE(offset + 42)
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(name, zip.toString('utf8', data, data + size))
    offset = next
  }
  return files
}
