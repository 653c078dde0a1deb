import { imageSignatures, hasSignature } from '#shared/image-signatures.ts'

const bytes = (...values: number[]) => values
export const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))

/** null matches any byte */
interface Signature {
  bytes: readonly (number | null)[]
}

const zip: Signature[] = [{ bytes: ascii('PK\u0003\u0004') }, { bytes: ascii('PK\u0005\u0006') }]
/** old Office files, and new ones with a password */
export const compound: Signature = { bytes: bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1) }

const office = 'application/vnd.openxmlformats-officedocument.'

/** First bytes by type. S3 does not check the type that an upload declares. */
const signatures: Readonly<Record<string, readonly Signature[]>> = {
  ...Object.fromEntries(
    Object.entries(imageSignatures).map(([type, all]) => [type, all.map((one) => ({ bytes: one }))]),
  ),
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
export const programTypes = [
  'application/octet-stream',
  // the same .exe or program without an extension, as systems and browsers name it
  'application/x-msdownload',
  'application/x-ms-dos-executable',
  'application/x-msdos-program',
  'application/x-dosexec',
  'application/vnd.microsoft.portable-executable',
  'application/x-executable',
  'application/x-pie-executable',
  'application/x-sharedlib',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
]

export const matchesSignature = (content: Uint8Array, { bytes: wanted }: Signature) =>
  hasSignature(content, wanted)

/** A text may begin with MZ; a program also contains bytes that no text has. */
export const isProgram = (content: Uint8Array) =>
  programs.some((program) => matchesSignature(content, program)) && content.includes(0)

/** Bytes that the check reads. A text needs more than a signature to be told from other content. */
export const headBytes = 16_384

/** Whether files of this type begin with bytes that are known. */
export const hasKnownSignature = (type: string) =>
  type === 'application/pdf' || Object.hasOwn(signatures, type)

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
