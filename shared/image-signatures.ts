const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))

/** First bytes by image type; null matches any byte. */
export const imageSignatures: Readonly<Record<string, readonly (readonly (number | null)[])[]>> = {
  'image/png': [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  'image/jpeg': [[0xff, 0xd8, 0xff]],
  'image/gif': [ascii('GIF87a'), ascii('GIF89a')],
  // four bytes of length
  'image/webp': [[...ascii('RIFF'), null, null, null, null, ...ascii('WEBP')]],
  // four bytes of size, four reserved ones, then where the pixels begin
  'image/bmp': [[...ascii('BM'), null, null, null, null, 0, 0, 0, 0, null, null, 0, 0]],
  'image/tiff': [
    [0x49, 0x49, 0x2a, 0],
    [0x4d, 0x4d, 0, 0x2a],
  ],
  'image/avif': ['avif', 'avis'].map((brand) => [null, null, null, null, ...ascii(`ftyp${brand}`)]),
  'image/heic': ['heic', 'heix', 'hevc', 'heim', 'mif1', 'msf1'].map((brand) => [
    null,
    null,
    null,
    null,
    ...ascii(`ftyp${brand}`),
  ]),
}

/** @param wanted null matches any byte */
export const hasSignature = (content: Uint8Array, wanted: readonly (number | null)[]): boolean =>
  content.length >= wanted.length && wanted.every((byte, index) => byte === null || content[index] === byte)

/** The type of an image by its first bytes, whatever its name. @returns undefined if it is none that is known */
export function detectImageType(head: Uint8Array): string | undefined {
  return Object.entries(imageSignatures).find(([, signatures]) =>
    signatures.some((signature) => hasSignature(head, signature)),
  )?.[0]
}
