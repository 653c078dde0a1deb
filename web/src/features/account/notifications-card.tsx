import { Callout } from '../../components/ui/callout.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { setReplyNotifications, useReplyNotifications } from '../../lib/reply-notifications.ts'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import * as texts from './texts.ts'

const reasons = {
  blocked: texts.notificationsBlocked,
  unsupported: texts.notificationsUnsupported,
} as const

/** Notifications of this browser; the permission is requested only when the switch is turned on. */
export function NotificationsCard() {
  const state = useReplyNotifications()
  const isPossible = state === 'on' || state === 'off'
  return (
    <SettingsCard title={texts.notifications} subtitle={texts.notificationsHint}>
      <CardSection>
        <SwitchRow
          label={texts.notifyReply}
          checked={state === 'on'}
          disabled={!isPossible}
          onChange={(on) => void setReplyNotifications(on)}
        >
          {texts.notifyReplyHint}
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
