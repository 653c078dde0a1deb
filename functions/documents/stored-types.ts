import { maxScanBytes, maxStoredPictures } from '../files/stored-text.ts'
import { maxTextCharacters } from './extracted-text.ts'

/** An object that a reading stores: its content type, and bytes at most. Its form is signed for both. */
export interface StoredType {
  type: string
  maxBytes: number
}

const MB = 1024 * 1024
const binary = 'application/octet-stream'

export const storedTypes = {
  /** a UTF-16 code unit has at most three bytes in UTF-8 */
  text: { type: 'text/plain; charset=utf-8', maxBytes: maxTextCharacters * 3 },
  /** four bytes for a character of the longest text, as Chinese has them; a text of words has half a byte */
  index: { type: binary, maxBytes: maxTextCharacters * 4 },
  /** a picture of 1,600 by 1,600 points, without compression */
  pictures: { type: binary, maxBytes: maxStoredPictures * 8 * MB + maxScanBytes },
  /** a query reads no more */
  tables: { type: 'application/zstd', maxBytes: 80 * MB },
} as const satisfies Record<string, StoredType>
