import { t } from '@lingui/core/macro'
import { SwitchRow } from '../ui/switch.tsx'
import type { ScheduleForm } from './schedule-form.ts'

const channels = [
  {
    channel: 'push',
    label: t`By notification`,
    about: t`In the browsers in which you have switched notifications on.`,
  },
  { channel: 'mail', label: t`By e-mail`, about: t`If this installation sends e-mails.` },
] as const

/** By which ways the user is notified that a run waits or has ended. */
export const ChannelSwitches = ({
  notify,
  onChange,
}: Pick<ScheduleForm, 'notify'> & { onChange: (notify: ScheduleForm['notify']) => void }) =>
  channels.map(({ channel, label, about }) => (
    <SwitchRow
      key={channel}
      label={label}
      checked={notify.includes(channel)}
      onChange={(on) =>
        onChange(
          channels.map((one) => one.channel).filter((one) => (one === channel ? on : notify.includes(one))),
        )
      }
    >
      {about}
    </SwitchRow>
  ))
