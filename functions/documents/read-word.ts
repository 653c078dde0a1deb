import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { DocumentError, TextCollector, type ExtractedText } from './extracted-text.ts'
import { unzipParts } from './read-package.ts'

/** Parsed into a tree, XML takes twenty times its size in memory. */
const maxBytes = 24 * 1024 * 1024

/** @throws DocumentError */
export async function readWord(bytes: Uint8Array): Promise<ExtractedText> {
  // mammoth unpacks without limits, so it gets a repacked, uncompressed package without images
  const parts = unzipParts(bytes, (path) => /\.(xml|rels)$/.test(path), maxBytes)
  const plain = Buffer.from(zipSync({ ...parts }, { level: 0 }))
  try {
    const { value } = await mammoth.extractRawText({ buffer: plain })
    const text = new TextCollector()
    text.add(value.replace(/\n{3,}/g, '\n\n').trim())
    return text.end()
  } catch (error) {
    throw new DocumentError('unreadable', 'not a Word document', { cause: error })
  }
}
