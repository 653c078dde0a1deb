import { maxAvatarBytes } from '#shared/limits.ts'
import type { Picture } from './avatar-repository.ts'
import { NoPicture } from './errors.ts'

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text

/**
 * What the browser made of a picked image, judged by its first bytes and never by what it is called (DEC-034).
 * @param data base64
 * @throws NoPicture for anything but a WebP or JPEG of at most 60 kB
 */
export function pictureOf(data: string): Picture {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  if (bytes.length > maxAvatarBytes) throw new NoPicture(`a picture of ${bytes.length} bytes`)
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return { type: 'image/webp', bytes }
  if (startsWith(bytes, '\xff\xd8\xff')) return { type: 'image/jpeg', bytes }
  throw new NoPicture('neither WebP nor JPEG')
}
