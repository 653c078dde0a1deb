const maxPictures = 10_000
const dictionaryBytes = 1_000

/**
 * Counts the pictures of a PDF by their dictionaries. These are never compressed, because a picture is a stream and streams are not inside
 * others (ISO 32000-1, 7.5.7). A picture that is used on several pages counts once; one that is only the mask of another does not count.
 */
export function countPdfPictures(bytes: Uint8Array): number {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pictures = new Set<string>()
  const masks = new Set<string>()
  for (let at = content.indexOf('/Image'); at >= 0; at = content.indexOf('/Image', at + 1)) {
    if (pictures.size >= maxPictures) break
    const before = content.toString('latin1', Math.max(0, at - dictionaryBytes), at)
    if (!/\/Subtype\s{0,4}$/.test(before)) continue
    const start = [...before.matchAll(/(\d{1,10})\s{1,4}\d{1,5}\s{1,4}obj/g)].at(-1)
    if (!start) continue
    pictures.add(start[1] ?? '')
    const after = content.toString('latin1', at, at + dictionaryBytes).split('stream', 1)[0] ?? ''
    const dictionary = before.slice(start.index) + after
    for (const [, mask = ''] of dictionary.matchAll(/\/S?Mask\s{1,4}(\d{1,10})\s{1,4}\d{1,5}\s{1,4}R/g))
      masks.add(mask)
  }
  return [...pictures].filter((id) => !masks.has(id)).length
}
