import { t } from '@lingui/core/macro'
import { useId, type SubmitEvent, useRef, type ChangeEvent } from 'react'
import type { AccountRead } from '#shared/contracts/account.ts'
import { maxDisplayNameCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { inputClass } from '../../components/ui/field.tsx'
import { SegmentedControl } from '../../components/ui/segmented-control.tsx'
import { useBrand } from '../../lib/api/config.ts'
import { getInitials } from '../../lib/account/use-profile.ts'
import { ChangedElsewhere } from '../../components/changed-elsewhere.tsx'
import { CardSection, SettingRow, SettingsCard } from '../../components/settings-card.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { themeOptions, useThemeChoice } from './theme-choice.tsx'
import { bind } from '../../lib/input/text-input.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useActionMutation } from '../../components/use-action.ts'
import { avatarQuery } from '../../lib/account/account-queries.ts'
import { getActionErrorMessage } from '../../lib/api/action-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { saveAccount } from '../../lib/account/save-settings.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { loadChangedAccount } from './load-changed-account.ts'
import { Camera } from 'lucide-react'
import { Avatar } from '../../components/ui/avatar.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { UnreadableImageError, cropPicture } from '../../lib/browser/crop-picture.ts'
import { blobToDataUrl } from '../../lib/browser/data-url.ts'

/** Name and avatar, saved together, and the theme and the language, which are saved at once. */
export function ProfileCard({ account: { profile }, email }: { account: AccountRead; email: string }) {
  const { assistantName } = useBrand()
  const id = useId()
  const { input, imageUrl, changeAvatar, hasChanges, isBusy, start } = useProfileForm(profile)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (hasChanges) start()
  }

  return (
    <SettingsCard title={t`Your Profile`}>
      <form
        onSubmit={save}
        className="mt-4 mb-5 grid grid-cols-[72px_minmax(0,1fr)_auto] items-end gap-x-4 gap-y-1.5 max-sm:grid-cols-[72px_minmax(0,1fr)]"
      >
        <div className="row-span-2 self-center">
          <AvatarPicker
            initials={getInitials(input.value, email)}
            imageUrl={imageUrl}
            onUpload={changeAvatar}
          />
        </div>
        <div className="grid gap-1.5">
          <label htmlFor={id} className="font-medium">
            {t`What should ${assistantName} call you?`}
          </label>
          <input
            id={id}
            {...bind(input)}
            placeholder={t`Your display name`}
            autoComplete="name"
            maxLength={maxDisplayNameCharacters}
            dir="auto"
            aria-describedby={`${id}-hint`}
            className={`${inputClass} h-11`}
          />
        </div>
        <Button
          type="submit"
          variant="primary"
          size="lg"
          busy={isBusy}
          disabled={!hasChanges}
          className="max-sm:order-1 max-sm:col-span-2 max-sm:mt-2"
        >
          {t`Save Changes`}
        </Button>
        <p
          id={`${id}-hint`}
          className="col-span-2 col-start-2 text-sm break-words text-ink-faint max-sm:col-span-1"
        >
          {email ? t`You sign in as ${email}.` : ''}
        </p>
        <div className="col-span-full empty:hidden">
          <ChangedElsewhere newer={input.newer} onUse={input.reset} />
        </div>
      </form>
      <Appearance />
    </SettingsCard>
  )
}

function Appearance() {
  const [theme, selectTheme] = useThemeChoice()
  return (
    <CardSection>
      <SettingRow
        title={t`Appearance`}
        description={t`System follows your device, also when it changes at night.`}
      >
        <SegmentedControl label={t`Appearance`} value={theme} options={themeOptions} onChange={selectTheme} />
      </SettingRow>
      <div className="mt-4">
        <SettingRow
          title={t`Language`}
          description={t`The language of this page in this browser. Replies are in the language that you write in.`}
        >
          <LanguageChoice label={t`Language`} />
        </SettingRow>
      </div>
    </CardSection>
  )
}

/** The form of the name and the avatar. Only what was changed is sent. */
function useProfileForm(profile: AccountRead['profile']) {
  const queryClient = useQueryClient()
  const { data: savedImageUrl } = useQuery(avatarQuery(profile.avatar_id))
  const input = useInput('profile', { stored: profile.display_name })
  const { value: name, isDirty } = input
  const avatar = useInput<UploadedAvatar | null>('profile/avatar', { stored: null })
  const uploadedAvatar = avatar.value

  const { isBusy, start } = useActionMutation('profile', {
    run: async () => {
      const account = await saveAccount(queryClient, async () => {
        const saved = await callApi('account.save', {
          body: {
            ...(isDirty && { display_name: name, display_name_seen: profile.display_name }),
            ...(uploadedAvatar && { avatar_id: uploadedAvatar.id }),
          },
        })
        // before the account has its id, so that it is not loaded
        if (uploadedAvatar)
          queryClient.setQueryData(avatarQuery(uploadedAvatar.id).queryKey, uploadedAvatar.url)
        return saved
      })
      input.markSaved(account.profile.display_name)
      avatar.markSaved(null)
    },
    onSuccess: (_saved, _input, { notify }) =>
      notify('success', t`Profile updated!`, {
        description: t`Your changes have been saved successfully.`,
      }),
    onError: async (error, _input, { notify }) => {
      if (!(await loadChangedAccount(queryClient, error)))
        notify('error', t`Update failed`, { description: getActionErrorMessage(error), cause: error })
    },
  })
  return {
    /** the name */
    input,
    /** the uploaded avatar, or the saved one */
    imageUrl: uploadedAvatar?.url ?? savedImageUrl,
    changeAvatar: avatar.change,
    hasChanges: isDirty || uploadedAvatar !== null,
    isBusy,
    start,
  }
}

/** An uploaded avatar that is not saved yet. */
interface UploadedAvatar {
  id: string
  /** a data URL for the preview */
  url: string
}

/** The avatar as a button that uploads a new image; the form saves it. */
function AvatarPicker({
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
