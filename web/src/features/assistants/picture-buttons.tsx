import { t } from '@lingui/core/macro'
import { CopyDetails } from '../../components/ui/copy-details.tsx'
import { useRef, type ChangeEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { detectImageType } from '#shared/image-signatures.ts'
import { useActionMutation } from '../../components/use-action.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { cropPicture, UnreadableImageError } from '../../lib/browser/crop-picture.ts'
import { blobToDataUrl } from '../../lib/browser/data-url.ts'
import type { Input } from '../../lib/input/use-input.ts'
import { findShownPicture, type PublishForm } from './publish-form.ts'

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp']

/** How much of a file tells its type: more than the longest signature. */
const signatureBytes = 32

/** @returns a data URL. @throws UnreadableImageError */
async function preparePicture(file: File): Promise<string> {
  // the content decides, not the name
  const type = detectImageType(new Uint8Array(await file.slice(0, signatureBytes).arrayBuffer()))
  if (!pictureTypes.includes(type ?? '')) throw new UnreadableImageError('another kind of file')
  return blobToDataUrl(await cropPicture(new Blob([file], { type: type ?? '' }), 'assistant'))
}

/** Chooses and removes the picture of an assistant, which is published with its next version. @param before the version that is published now */
export function PictureButtons({
  input,
  before,
}: {
  input: Input<PublishForm>
  before: Pick<Assistant, 'picture'> | undefined
}) {
  const file = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const picture = input.part(
    (form) => form.picture ?? '',
    (form, url) => ({ ...form, picture: url || null }),
  )
  const hasPicture = findShownPicture(input.value, before) !== undefined
  const { isBusy, error, start, reset } = useActionMutation('prepare the picture of an assistant', {
    run: preparePicture,
    onSuccess: picture.change,
    failureTitle: t`The picture could not be used`,
    describeError: describePictureError,
  })
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0]
    // lets the same file be selected again
    target.value = ''
    if (chosen) start(chosen)
  }
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap gap-x-4 text-sm">
        <button
          ref={chooser}
          type="button"
          aria-busy={isBusy || undefined}
          className="link min-h-6 max-sm:min-h-11"
          onClick={() => !isBusy && file.current?.click()}
        >
          {hasPicture ? t`Choose another picture` : t`Choose a picture`}
        </button>
        {hasPicture && (
          <button
            type="button"
            aria-disabled={isBusy || undefined}
            className="link min-h-6 max-sm:min-h-11"
            onClick={() => {
              // the picture that is being prepared would come after it
              if (isBusy) return
              reset()
              // the pressed button is gone after this, and the focus with it
              flushSync(() => picture.change(''))
              chooser.current?.focus()
            }}
          >
            {t`Remove the picture`}
          </button>
        )}
      </p>
      {error && (
        <p role="alert" className="text-sm text-danger-ink">
          {describePictureError(error)} <CopyDetails error={error} />
        </p>
      )}
      <input
        ref={file}
        type="file"
        accept={pictureTypes.join()}
        aria-label={t`Picture`}
        tabIndex={-1}
        hidden
        onChange={choose}
      />
    </div>
  )
}

const describePictureError = (error: unknown) =>
  error instanceof UnreadableImageError
    ? t`This file is not a PNG, JPEG or WebP image that your browser can show. Please choose another one.`
    : getErrorMessage(error)
