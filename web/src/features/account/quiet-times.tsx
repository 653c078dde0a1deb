import { t } from '@lingui/core/macro'
import type { QuietHours } from '#shared/contracts/account.ts'
import { FieldFrame, inputClass } from '../../components/ui/field.tsx'
import { bind } from '../../lib/input/text-input.ts'
import { findReadersZone, formatTimeZone } from '../../lib/text/time-zone.ts'
import { useInput } from '../../lib/input/use-input.ts'

/** The night, by the clock of this browser. */
export const createDefaultQuietHours = (): QuietHours => ({
  from: '22:00',
  to: '07:00',
  time_zone: findReadersZone(),
})

/** When the quiet hours begin and end. */
export function QuietTimes({
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
