import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { DocumentProblem, TextCollector, type Extracted } from './extracted.ts'
import { unpack } from './read-package.ts'

/** As a tree in memory this grows twentyfold. */
const maxBytes = 24 * 1024 * 1024

/** @throws DocumentProblem */
export async function readWord(bytes: Uint8Array): Promise<Extracted> {
  // the reader unpacks without limits of its own, so it gets a package that is unpacked already, without pictures
  const parts = unpack(bytes, (path) => /\.(xml|rels)$/.test(path), maxBytes)
  const plain = Buffer.from(zipSync({ ...parts }, { level: 0 }))
  try {
    const { value } = await mammoth.extractRawText({ buffer: plain })
    const text = new TextCollector()
    text.add(value.replace(/\n{3,}/g, '\n\n').trim())
    return text.end()
  } catch (error) {
    throw new DocumentProblem('unreadable', 'no Word document', { cause: error })
  }
}
