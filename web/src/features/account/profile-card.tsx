import { t } from '@lingui/core/macro'
import { useId, type SubmitEvent } from 'react'
import type { AccountRead } from '#shared/contracts/account.ts'
import { maxDisplayNameCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { inputClass } from '../../components/ui/field.tsx'
import { SegmentedControl } from '../../components/ui/segmented-control.tsx'
import { useBrand } from '../../lib/api/config.ts'
import { getInitials } from '../../lib/account/use-profile.ts'
import { ChangedElsewhere } from '../../components/changed-elsewhere.tsx'
import { AvatarPicker } from './avatar-picker.tsx'
import { CardSection, SettingRow, SettingsCard } from '../../components/settings-card.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { themeOptions, useThemeChoice } from './theme-choice.tsx'
import { bind } from '../../lib/input/text-input.ts'
import { useProfileForm } from './use-profile-form.ts'

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
