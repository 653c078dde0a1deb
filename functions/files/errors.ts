import { fileSentences, sayFile } from '#shared/sentences/files.ts'
import { AppError, LimitReached, defineErrors } from '../platform/errors.ts'

/** Unknown, deleted or another user's: the response does not say which. */
export class AttachmentNotFound extends AppError {
  readonly status = 404
  override readonly attachmentIds: readonly string[] | undefined

  /** @param attachmentIds which of several files the caller has to leave out */
  constructor(detail: string, attachmentIds?: readonly string[]) {
    super(sayFile('attachment_not_found'), detail)
    this.attachmentIds = attachmentIds
  }
}

export const { AttachmentUnfinished, UploadMissing, FileDiffers, FileTooLarge, StorageFull } = defineErrors(
  fileSentences,
  {
    /** The upload has not been completed yet. */
    AttachmentUnfinished: [409, 'attachment_unfinished'],
    UploadMissing: [409, 'upload_missing'],
    /** A program under the name of something else. */
    FileDiffers: [422, 'file_differs'],
    FileTooLarge: [413, 'file_too_large.upload'],
    /** The user's files and texts would exceed the quota. */
    StorageFull: [413, 'storage_full'],
  },
)

const gb = 1024 ** 3
/** In the unit of the limit. */
export function storageFull({ used, limit }: { used: number; limit: number }) {
  const [unit, bytes] = limit < gb ? ['MB', 1024 ** 2] : ['GB', gb]
  return new StorageFull({ used: used / bytes, limit: limit / bytes, unit })
}

export class TooManyUploads extends LimitReached {
  /** @param max uploads of a day */
  constructor(max: number, retryAfterSeconds: number) {
    super(
      sayFile(max === 0 ? 'too_many_uploads.none' : 'too_many_uploads.today'),
      'uploads of the day used up',
      retryAfterSeconds,
    )
  }
}
