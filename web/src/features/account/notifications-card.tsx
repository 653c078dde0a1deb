import { Notice } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { switchReplyNotifications, useReplyNotifications } from '../../lib/reply-notifications.ts'
import { CardPart, SettingsCard } from './settings-card.tsx'

const reasons = {
  blocked:
    'This browser blocks notifications of this site. Allow them in its settings for the site, then switch this on.',
  unsupported:
    'This browser has no notifications for this site. On an iPhone or iPad, add the site to the Home Screen first.',
} as const

/** Notifications of this browser; the permission is asked for when the switch is turned on, and not before. */
export function NotificationsCard() {
  const state = useReplyNotifications()
  const isPossible = state === 'on' || state === 'off'
  return (
    <SettingsCard title="Notifications" lede="For this browser only.">
      <CardPart>
        <SwitchRow
          label="Tell me when a reply is ready"
          checked={state === 'on'}
          disabled={!isPossible}
          onChange={(on) => void switchReplyNotifications(on)}
        >
          When a reply that takes longer ends while you look at something else. The notification has no word
          of the conversation in it.
        </SwitchRow>
        {!isPossible && (
          <div className="mt-3">
            <Notice tone="info">{reasons[state]}</Notice>
          </div>
        )}
      </CardPart>
    </SettingsCard>
  )
}
