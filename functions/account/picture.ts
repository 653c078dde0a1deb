import { maxAvatarBytes } from '#shared/limits.ts'
import { matchesType } from '../files/file-content.ts'
import type { Avatar } from './avatar-repository.ts'
import { InvalidAvatar } from './errors.ts'

/**
 * What the browser made of a picked image, judged by its first bytes and never by what it is called (DEC-034).
 * @param data base64
 * @throws NoPicture for anything but a WebP or JPEG of at most 60 kB
 */
export function parseAvatar(data: string): Avatar {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  if (bytes.length > maxAvatarBytes) throw new InvalidAvatar(`a picture of ${bytes.length} bytes`)
  const type = (['image/webp', 'image/jpeg'] as const).find((one) => matchesType(bytes, one))
  if (type) return { type, bytes }
  throw new InvalidAvatar('neither WebP nor JPEG')
}
