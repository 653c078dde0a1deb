import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type SubmitEvent } from 'react'
import type { AccountRead } from '#shared/contracts/account.ts'
import { maxDisplayNameCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { inputClass } from '../../components/ui/field.tsx'
import { Segments } from '../../components/ui/segmented-control.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery, avatarQuery } from '../../lib/account-queries.ts'
import { callApi } from '../../lib/call-api.ts'
import { useBrand } from '../../lib/config.ts'
import { initials } from '../../lib/use-profile.ts'
import { AvatarPicker, type PickedPicture } from './avatar-picker.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { CardPart, SettingRow, SettingsCard } from './settings-card.tsx'
import { themeOptions, useThemeChoice } from './theme-choice.tsx'

/** Name and picture, saved together (SET-04 to SET-10), and the theme, which needs no saving. */
export function ProfileCard({
  account: { profile },
  email,
  onDirty,
}: {
  account: AccountRead
  email: string
  /** tells whether there are changes that are not saved */
  onDirty: (dirty: boolean) => void
}) {
  const { assistantName } = useBrand()
  const queryClient = useQueryClient()
  const id = useId()
  const { data: image } = useQuery(avatarQuery(profile.avatar_id))
  const [name, setName] = useState(profile.display_name)
  const [picture, setPicture] = useState<PickedPicture>()
  const [busy, setBusy] = useState(false)
  const changed = (nextName: string, nextPicture: PickedPicture | undefined) =>
    nextName.trim() !== profile.display_name || nextPicture !== undefined
  const dirty = changed(name, picture)

  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy || !dirty) return
    setBusy(true)
    try {
      const account = await callApi('account.save', {
        body: { display_name: name, ...(picture && { avatar_id: picture.id }) },
      })
      await queryClient.cancelQueries({ queryKey: accountQuery.queryKey })
      if (picture) queryClient.setQueryData(avatarQuery(picture.id).queryKey, picture.url)
      queryClient.setQueryData(accountQuery.queryKey, account)
      setName(account.profile.display_name)
      setPicture(undefined)
      onDirty(false)
      showToast('success', 'Profile updated!', { description: 'Your changes have been saved successfully.' })
    } catch (error) {
      showToast('error', 'Update failed', { description: errorMessage(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <SettingsCard title="Your Profile">
      <form
        onSubmit={(event) => void save(event)}
        className="mt-4 mb-5 grid grid-cols-[72px_minmax(0,1fr)_auto] items-end gap-x-4 gap-y-1.5 max-sm:grid-cols-[72px_minmax(0,1fr)]"
      >
        <div className="row-span-2 self-center">
          <AvatarPicker
            initials={initials(name, email)}
            imageUrl={picture?.url ?? image ?? undefined}
            onPick={(picked) => {
              setPicture(picked)
              onDirty(true)
            }}
          />
        </div>
        <div className="grid gap-1.5">
          <label htmlFor={id} className="font-medium">
            What should {assistantName} call you?
          </label>
          <input
            id={id}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              onDirty(changed(event.target.value, picture))
            }}
            placeholder="Your display name"
            autoComplete="name"
            maxLength={maxDisplayNameCharacters}
            dir="auto"
            aria-describedby={`${id}-hint`}
            className={`${inputClass} h-11`}
          />
        </div>
        <Button
          type="submit"
          tone="primary"
          size="lg"
          busy={busy}
          disabled={!dirty}
          className="max-sm:order-1 max-sm:col-span-2 max-sm:mt-2"
        >
          Save Changes
        </Button>
        <p
          id={`${id}-hint`}
          className="col-span-2 col-start-2 text-sm break-words text-ink-faint max-sm:col-span-1"
        >
          {email ? `You sign in as ${email}.` : ''}
        </p>
      </form>
      <Appearance />
    </SettingsCard>
  )
}

function Appearance() {
  const [theme, selectTheme] = useThemeChoice()
  return (
    <CardPart>
      <SettingRow title="Appearance" about="System follows your device, also when it changes at night.">
        <Segments label="Appearance" value={theme} choices={themeOptions} onChange={selectTheme} />
      </SettingRow>
    </CardPart>
  )
}
