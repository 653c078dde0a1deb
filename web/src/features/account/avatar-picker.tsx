import { t } from '@lingui/core/macro'
import { Camera } from 'lucide-react'
import { useRef, type ChangeEvent } from 'react'
import { Avatar } from '../../components/ui/avatar.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { UnreadableImageError, cropPicture } from '../../lib/browser/crop-picture.ts'
import { blobToDataUrl } from '../../lib/browser/data-url.ts'

/** An uploaded avatar that is not saved yet. */
export interface UploadedAvatar {
  id: string
  /** a data URL for the preview */
  url: string
}

/** The avatar as a button that uploads a new image; the form saves it. */
export function AvatarPicker({
  initials,
  imageUrl,
  onUpload,
}: {
  initials: string
  imageUrl: string | undefined
  onUpload: (avatar: UploadedAvatar) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const upload = useActionMutation('upload avatar', {
    run: async (file: File) => {
      const url = await blobToDataUrl(await cropPicture(file, 'avatar'))
      const data = url.slice(url.indexOf(',') + 1)
      const { avatar_id } = await callApi('account.uploadAvatar', { body: { data } })
      return { id: avatar_id, url }
    },
    onSuccess: (avatar, _file, { notify }) => {
      onUpload(avatar)
      notify('success', t`Avatar uploaded!`, { description: t`Don't forget to save your changes.` })
    },
    onError: (error, _file, { notify }) => {
      const description =
        error instanceof UnreadableImageError
          ? t`This file is not an image that your browser can show. Please choose another one.`
          : getErrorMessage(error)
      notify('error', t`Upload failed`, { description, cause: error })
    },
  })
  const busy = upload.isBusy

  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    // lets the same file be selected again
    target.value = ''
    if (file) upload.start(file)
  }

  return (
    <>
      <button
        type="button"
        aria-label={t`${initials}, change picture`}
        aria-busy={busy || undefined}
        onClick={() => !busy && input.current?.click()}
        className="group relative size-18 rounded-full"
      >
        <Avatar initials={initials} imageUrl={imageUrl} size="lg" />
        <span className="absolute -end-0.5 -bottom-0.5 grid size-7 place-items-center rounded-full border border-line-strong bg-surface-raised text-ink-muted group-hover:text-ink">
          {busy ? <Spinner /> : <Camera aria-hidden size={16} />}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label={t`Picture`}
        tabIndex={-1}
        hidden
        onChange={choose}
      />
    </>
  )
}
