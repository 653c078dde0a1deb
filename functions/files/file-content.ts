const bytes = (...values: number[]) => values
export const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))

/** null matches any byte */
interface Signature {
  bytes: readonly (number | null)[]
}

const zip: Signature[] = [{ bytes: ascii('PK\u0003\u0004') }, { bytes: ascii('PK\u0005\u0006') }]
/** old Office files, and new ones with a password */
const compound: Signature = { bytes: bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1) }

const office = 'application/vnd.openxmlformats-officedocument.'

/** First bytes by type. S3 does not check the type that an upload declares. */
const signatures: Readonly<Record<string, readonly Signature[]>> = {
  'image/png': [{ bytes: bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) }],
  'image/jpeg': [{ bytes: bytes(0xff, 0xd8, 0xff) }],
  'image/gif': [{ bytes: ascii('GIF87a') }, { bytes: ascii('GIF89a') }],
  // four bytes of length
  'image/webp': [{ bytes: [...ascii('RIFF'), null, null, null, null, ...ascii('WEBP')] }],
  [`${office}wordprocessingml.document`]: [...zip, compound],
  [`${office}spreadsheetml.sheet`]: [...zip, compound],
  [`${office}presentationml.presentation`]: [...zip, compound],
  'application/zip': zip,
  'application/x-zip-compressed': zip,
  'application/vnd.rar': [{ bytes: ascii('Rar!') }],
}

const programs: readonly Signature[] = [
  { bytes: ascii('MZ') },
  { bytes: bytes(0x7f, 0x45, 0x4c, 0x46) },
  { bytes: bytes(0xcf, 0xfa, 0xed, 0xfe) },
  { bytes: bytes(0xce, 0xfa, 0xed, 0xfe) },
  { bytes: bytes(0xca, 0xfe, 0xba, 0xbe) },
]

/** Types that a program may have. */
const programTypes = ['application/octet-stream', 'application/x-msdownload', 'application/java-vm']

export const matchesSignature = (content: Uint8Array, { bytes: wanted }: Signature) =>
  content.length >= wanted.length && wanted.every((byte, index) => byte === null || content[index] === byte)

/** A text may begin with MZ; a program also contains bytes that no text has. */
export const isProgram = (content: Uint8Array) =>
  programs.some((program) => matchesSignature(content, program)) && content.includes(0)

/** Bytes that the check reads. */
export const headBytes = 4_096

/**
 * Whether a file begins as its type requires.
 * @param head the first bytes of the file
 * @param type the mime type that it is stored with
 */
export function matchesType(head: Uint8Array, type: string): boolean {
  const known = Object.hasOwn(signatures, type) ? signatures[type] : undefined
  if (known) return known.some((beginning) => matchesSignature(head, beginning))
  // PDF readers allow some bytes before the signature
  if (type === 'application/pdf') return Buffer.from(head.subarray(0, 1_024)).includes('%PDF-')
  return programTypes.includes(type) || !isProgram(head)
}
