import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { NotificationSettings, QuietHours } from '#shared/contracts/account.ts'
import { Callout } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { useAction } from '../../components/use-action.ts'
import { useBrand } from '../../lib/api/config.ts'
import { useRecentSignIn } from '../../lib/sign-in/recent-sign-in.ts'
import { saveSettings } from '../../lib/account/save-settings.ts'
import { disablePush, enablePush } from '../../lib/account/push.ts'
import {
  getReplyNotifications,
  setReplyNotifications,
  useReplyNotifications,
} from '../../lib/browser/reply-notifications.ts'
import { FieldFrame, inputClass } from '../../components/ui/field.tsx'
import { bind } from '../../lib/input/text-input.ts'
import { findReadersZone, formatTimeZone } from '../../lib/text/time-zone.ts'
import { useInput } from '../../lib/input/use-input.ts'

/** Why notifications cannot be switched on in this browser, and what helps. */
const reasons = {
  blocked: t`This browser blocks notifications of this site. Allow them in its settings for the site, then switch this on.`,
  unsupported: t`This browser has no notifications for this site. On an iPhone or iPad, add the site to the Home Screen first.`,
} as const

const switches = [
  {
    name: 'mail',
    label: t`Also by e-mail`,
    text: t`With the title and the way to the conversation, if this installation sends e-mails.`,
    isOnByDefault: false,
  },
  {
    name: 'waiting',
    label: t`A reply waits for me`,
    text: t`It needs an approval or an answer before it goes on.`,
    isOnByDefault: true,
  },
  { name: 'ended', label: t`A reply is ready`, text: t`Or it could not be finished.`, isOnByDefault: true },
  {
    name: 'scheduled',
    label: t`A scheduled run has ended`,
    text: t`Each schedule says whether by notification or by e-mail.`,
    isOnByDefault: true,
  },
] as const

/** What the user is told of while they are not looking, and how. The permission of the browser is requested when its switch is turned on. */
export function NotificationsCard({
  settings = {},
  userId,
}: {
  settings: NotificationSettings | undefined
  userId: string
}) {
  const { assistantName } = useBrand()
  const queryClient = useQueryClient()
  const saving = useAction(
    'save-notifications',
    (change: NotificationSettings) =>
      saveSettings(queryClient, { notifications: { ...settings, ...change } }),
    t`Update failed`,
  )
  const save = (change: NotificationSettings) => saving.start(change)
  const { quiet_hours: quietHours } = settings
  return (
    <SettingsCard
      title={t`Notifications`}
      subtitle={t`Sent while you are not looking at ${assistantName}. They name the conversation and quote nothing from it.`}
    >
      <CardSection>
        <ThisBrowser userId={userId} />
      </CardSection>
      {switches.map(({ name, label, text, isOnByDefault }) => (
        <CardSection key={name}>
          <SwitchRow
            label={label}
            checked={settings[name] ?? isOnByDefault}
            busy={saving.isBusy}
            onChange={(isOn) => save({ [name]: isOn })}
          >
            {text}
          </SwitchRow>
        </CardSection>
      ))}
      <CardSection>
        <SwitchRow
          label={t`Quiet hours`}
          checked={Boolean(quietHours)}
          busy={saving.isBusy}
          onChange={(on) => save({ quiet_hours: on ? createDefaultQuietHours() : null })}
        >
          {t`Nothing is sent then. Afterwards you are told of scheduled runs only.`}
        </SwitchRow>
        {quietHours && (
          <QuietTimes
            value={quietHours}
            busy={saving.isBusy}
            onChange={(quiet_hours) => save({ quiet_hours })}
          />
        )}
      </CardSection>
    </SettingsCard>
  )
}

/** The switch of this browser, with the reason why it cannot be used. */
function ThisBrowser({ userId }: { userId: string }) {
  const state = useReplyNotifications()
  const withRecentSignIn = useRecentSignIn()
  const isPossible = state === 'on' || state === 'off'
  const switching = useAction(
    'switch-push',
    async (on: boolean) => {
      await setReplyNotifications(on)
      if (!on) await disablePush()
      else if (getReplyNotifications() === 'on') await withRecentSignIn(() => enablePush(userId))
    },
    t`Notifications could not be switched`,
  )
  return (
    <>
      <SwitchRow
        label={t`In this browser`}
        checked={state === 'on'}
        disabled={!isPossible}
        busy={switching.isBusy}
        onChange={(on) => switching.start(on)}
      >
        {t`Also when the browser is closed, as far as your system allows.`}
      </SwitchRow>
      {!isPossible && (
        <div className="mt-3">
          <Callout variant="info">{reasons[state]}</Callout>
        </div>
      )}
    </>
  )
}

/** The night, by the clock of this browser. */
const createDefaultQuietHours = (): QuietHours => ({
  from: '22:00',
  to: '07:00',
  time_zone: findReadersZone(),
})

/** When the quiet hours begin and end. */
function QuietTimes({
  value,
  busy,
  onChange,
}: {
  value: QuietHours
  busy: boolean
  onChange: (value: QuietHours) => void
}) {
  return (
    <div role="group" aria-label={t`Quiet hours`} className="mt-3 grid max-w-80 grid-cols-2 gap-3">
      {(['from', 'to'] as const).map((end) => (
        <FieldFrame key={end} id={`quiet-${end}`} label={end === 'from' ? t`From` : t`Until`}>
          <TimeField
            id={`quiet-${end}`}
            stored={value[end]}
            busy={busy}
            onChange={(time) => onChange({ ...value, [end]: time })}
          />
        </FieldFrame>
      ))}
      <p className="col-span-2 text-xs text-ink-muted">{t`By the clock of ${{ zone: formatTimeZone(value.time_zone) }}.`}</p>
    </div>
  )
}

/** A time of day, which is saved when the field is left. An empty field shows the stored one again. */
function TimeField({
  id,
  stored,
  busy,
  onChange,
}: {
  id: string
  stored: string
  busy: boolean
  onChange: (time: string) => void
}) {
  const input = useInput(id, { stored, onLeave: 'forget' })
  return (
    <input
      id={id}
      type="time"
      required
      // read-only, not disabled: a disabled field would lose the focus that it just got from the other one
      readOnly={busy}
      className={`${inputClass} h-11`}
      {...bind(input)}
      onBlur={({ target }) => {
        if (target.value === '') input.reset()
        else if (target.value !== stored) onChange(target.value)
      }}
    />
  )
}
