import { AppError, LimitReached, defineErrors } from '../platform/errors.ts'

/** Unknown, deleted or another user's: the response does not say which. */
export class AttachmentNotFound extends AppError {
  readonly code = 'attachment_not_found'
  readonly status = 404
  readonly userMessage = 'This file does not exist, or it was deleted.'
  override readonly attachmentIds: readonly string[] | undefined

  /** @param attachmentIds which of several files the caller has to leave out */
  constructor(detail: string, attachmentIds?: readonly string[]) {
    super(detail)
    this.attachmentIds = attachmentIds
  }
}

const mb = 1024 ** 2
/** @param limit decides the unit */
const formatSize = (bytes: number, limit: number) =>
  limit < 1024 * mb ? `${(bytes / mb).toFixed(1)} MB` : `${(bytes / 1024 / mb).toFixed(1)} GB`

export const { AttachmentUnfinished, UploadMissing, FileDiffers, FileTooLarge, StorageFull } = defineErrors({
  /** The upload has not been completed yet. */
  AttachmentUnfinished: [
    409,
    'attachment_unfinished',
    'This file is not uploaded completely. Please attach it again.',
  ],
  UploadMissing: [409, 'upload_missing', 'The upload did not arrive. Please try again.'],
  /** A program under the name of something else. */
  FileDiffers: [422, 'file_differs', 'This file is a program under another name, so it was not attached.'],
  FileTooLarge: [
    413,
    'file_too_large',
    (maxBytes: number) => `This file is too large. Files of this kind may have at most ${maxBytes / mb} MB.`,
  ],
  /** The user's files and texts would exceed the quota. */
  StorageFull: [
    413,
    'storage_full',
    ({ used, limit }: { used: number; limit: number }) =>
      `Your files, and the texts that you imported, copied or shared, take up ${formatSize(used, limit)} of ${formatSize(limit, limit)}, so there is no room for more. Delete some files, conversations or links and try again.`,
  ],
})

export class TooManyUploads extends LimitReached {
  readonly code = 'too_many_uploads'
  readonly userMessage: string

  /** @param max uploads of a day */
  constructor(max: number, retryAfterSeconds: number) {
    super('uploads of the day used up', retryAfterSeconds)
    this.userMessage =
      max === 0
        ? 'Your account may not upload files. Please ask your administrator.'
        : 'You have uploaded as many files as one day allows. Please try again tomorrow, or ask your administrator for more.'
  }
}
