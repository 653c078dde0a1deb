import { readImageFacts, type ImageFacts } from '#shared/image-facts.ts'
import { maxAssistantPictureBytes, maxAssistantPicturePx, minAssistantPicturePx } from '#shared/limits.ts'
import { sayAssistant } from '#shared/sentences/assistants.ts'
import { removeMetadata } from '../files/remove-metadata.ts'
import { BadRequest } from '../platform/errors.ts'
import { copyObject, putObject } from '../platform/s3/object-writer.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { findPicture, publishedPictureKey } from './assistant-picture.ts'
import type { AssistantHead } from './assistant-reader.ts'

/** A picture that was checked. */
export interface Picture {
  type: ImageFacts['type']
  bytes: Uint8Array
}

const pngEnd = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
const jpegEnd = [0xff, 0xd9]

/** Whether the file ends where its image does: what was cut off shows half, and what follows is no part of an image. */
function isWhole(bytes: Uint8Array, type: ImageFacts['type']): boolean {
  if (type === 'image/webp')
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) + 8 === bytes.length
  const end = type === 'image/png' ? pngEnd : jpegEnd
  return end.every((byte, index) => bytes[bytes.length - end.length + index] === byte)
}

/**
 * Parses the picture of an assistant. Its first bytes say what it is; nothing is decoded. What it says besides its pixels is removed.
 * @param data base64
 * @throws BadRequest for anything but a small PNG, JPEG or WebP that does not move and has the colours of screens
 */
export function parsePicture(data: string): Picture {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  const facts = readImageFacts(bytes)
  const cleaned = facts && removeMetadata(bytes, facts.type)
  const isSide = (px: number) => px >= minAssistantPicturePx && px <= maxAssistantPicturePx
  if (
    !cleaned ||
    bytes.length > maxAssistantPictureBytes ||
    ![facts.width, facts.height].every(isSide) ||
    facts.isAnimated ||
    facts.isForPrinters ||
    !isWhole(bytes, facts.type)
  )
    throw new BadRequest(
      sayAssistant('bad_request.picture', { min: minAssistantPicturePx, max: maxAssistantPicturePx }),
    )
  return { type: facts.type, bytes: cleaned }
}

/**
 * Stores the picture of a version that is being made, and whose rows are stored: by them its removal finds it.
 * @param chosen undefined: as in the version before; null: none
 * @returns what its head says of it
 */
export async function storePicture(
  store: ObjectStore,
  to: Parameters<typeof publishedPictureKey>[0],
  { chosen, before }: { chosen: Picture | null | undefined; before: AssistantHead | undefined },
): Promise<AssistantHead['picture']> {
  const key = publishedPictureKey(to)
  if (chosen) {
    const { type, bytes } = chosen
    await putObject(store, { key, body: bytes, type })
    return { version: to.version, type, bytes: bytes.length }
  }
  const earlier = chosen === undefined && before ? findPicture(before) : undefined
  if (!before || !earlier) return undefined
  const from = publishedPictureKey(before)
  const beginning = await store.readBeginning(from, 1)
  const isCopied =
    beginning && (await copyObject(store, { from, etag: beginning.etag, to: key, type: earlier.type }))
  return isCopied ? { ...earlier, version: to.version } : undefined
}
