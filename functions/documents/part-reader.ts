import type { DocumentKind } from '#shared/document-formats.ts'
import { detectKind } from './detect-kind.ts'
import { documentKind } from './document-kind.ts'
import {
  DocumentError,
  isTimeOver,
  TimeOver,
  type ExtractedText,
  type OmissionCounter,
} from './extracted-text.ts'

export interface Part {
  name: string
  type: string
  bytes: Uint8Array
}

/** Of one document, at all depths. More are named. */
const maxParts = 30
const maxPartBytes = 10 * 1024 * 1024
const maxTotalBytes = 20 * 1024 * 1024
const maxDepth = 4

/** A message of OpenPGP in letters (RFC 9580, 6.2): it is a text that nobody can read. */
const isEncrypted = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 1_024))
    .toString('latin1')
    .trimStart()
    .startsWith('-----BEGIN PGP MESSAGE-----')

/** Programs that make PDFs attach their settings, thousands of lines that say nothing of the document. */
const isSettings = (name: string) => /\.joboptions$/i.test(name)

type ReadDocument = (kind: DocumentKind, bytes: Uint8Array, parts: PartReader) => Promise<ExtractedText>

export class PartReader {
  readonly #read: ReadDocument
  readonly #depth: number
  readonly #spent: { parts: number; bytes: number }

  constructor(read: ReadDocument, depth = 0, spent = { parts: 0, bytes: 0 }) {
    this.#read = read
    this.#depth = depth
    this.#spent = spent
  }

  /** @returns its text; undefined if it was not read, and is counted as a picture or an attached file */
  async read(part: Part, omissions: OmissionCounter): Promise<string | undefined> {
    const extracted = await this.#tryRead(part)
    if (!extracted || extracted.text.trim() === '') {
      omissions.add(part.type.startsWith('image/') ? 'pictures' : 'attachments')
      return undefined
    }
    omissions.addAll(extracted)
    return extracted.text.trim()
  }

  async #tryRead({ name, type, bytes }: Part): Promise<ExtractedText | undefined> {
    const spent = this.#spent
    spent.parts += 1
    spent.bytes += bytes.length
    const isTooMuch = spent.parts > maxParts || spent.bytes > maxTotalBytes || bytes.length > maxPartBytes
    if (isTooMuch || this.#depth >= maxDepth || isTimeOver()) return undefined
    if (isEncrypted(bytes) || isSettings(name)) return undefined
    // programs of mails give their parts any type
    const wanted = documentKind({ name, type: /octet-stream/i.test(type) ? '' : type })
    if (!wanted) return undefined
    try {
      const inner = new PartReader(this.#read, this.#depth + 1, spent)
      return await this.#read(detectKind(bytes, wanted), new Uint8Array(bytes), inner)
    } catch (error) {
      // the document around it has text of its own
      if (error instanceof TimeOver || error instanceof DocumentError) return undefined
      return undefined
    }
  }
}
