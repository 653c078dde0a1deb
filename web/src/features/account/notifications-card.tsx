import { t } from '@lingui/core/macro'
import { Callout } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { setReplyNotifications, useReplyNotifications } from '../../lib/reply-notifications.ts'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'

const reasons = {
  blocked: t`This browser blocks notifications of this site. Allow them in its settings for the site, then switch this on.`,
  unsupported: t`This browser has no notifications for this site. On an iPhone or iPad, add the site to the Home Screen first.`,
} as const

/** Notifications of this browser; the permission is requested only when the switch is turned on. */
export function NotificationsCard() {
  const state = useReplyNotifications()
  const isPossible = state === 'on' || state === 'off'
  return (
    <SettingsCard title={t`Notifications`} subtitle={t`For this browser only.`}>
      <CardSection>
        <SwitchRow
          label={t`Tell me when a reply is ready`}
          checked={state === 'on'}
          disabled={!isPossible}
          onChange={(on) => void setReplyNotifications(on)}
        >
          {t`When a long reply ends while you look at something else. The notification does not quote the conversation.`}
        </SwitchRow>
        {!isPossible && (
          <div className="mt-3">
            <Callout variant="info">{reasons[state]}</Callout>
          </div>
        )}
      </CardSection>
    </SettingsCard>
  )
}
