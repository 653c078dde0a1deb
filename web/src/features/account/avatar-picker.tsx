import { Camera } from 'lucide-react'
import { useRef, useState, type ChangeEvent } from 'react'
import { Avatar } from '../../components/ui/avatar.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { NotAPicture, scalePicture } from './crop-avatar.ts'

/** A picture that was uploaded and waits to be saved. */
export interface PickedPicture {
  id: string
  /** a data URL, for showing it until then */
  url: string
}

/** The avatar as a button: any image file becomes the new picture, once it is saved (SET-05, SET-07). */
export function AvatarPicker({
  initials,
  imageUrl,
  onPick,
}: {
  initials: string
  imageUrl: string | undefined
  onPick: (picture: PickedPicture) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // the same file may be picked again
    event.target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const url = await dataUrl(await scalePicture(file))
      const data = url.slice(url.indexOf(',') + 1)
      const { avatar_id } = await callApi('account.uploadAvatar', { body: { data } })
      onPick({ id: avatar_id, url })
      showToast('success', 'Avatar uploaded!', { description: "Don't forget to save your changes." })
    } catch (error) {
      const description =
        error instanceof NotAPicture
          ? 'This file is not an image that your browser can show. Please choose another one.'
          : errorMessage(error)
      showToast('error', 'Upload failed', { description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <button
        type="button"
        aria-label={`${initials}, change picture`}
        aria-busy={busy || undefined}
        onClick={() => !busy && input.current?.click()}
        className="group relative size-18 rounded-full"
      >
        <Avatar initials={initials} imageUrl={imageUrl} className="size-18! text-xl!" />
        <span className="absolute -right-0.5 -bottom-0.5 grid size-7 place-items-center rounded-full border border-line-strong bg-surface-raised text-ink-muted group-hover:text-ink">
          {busy ? <Spinner /> : <Camera aria-hidden size={16} />}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label="Picture"
        tabIndex={-1}
        hidden
        onChange={(event) => void take(event)}
      />
    </>
  )
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('the picture could not be read'))
    reader.readAsDataURL(blob)
  })
}
