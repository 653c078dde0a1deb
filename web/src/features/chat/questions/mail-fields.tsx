import clsx from 'clsx'
import { useId, type ReactNode } from 'react'
import { inputClass } from '../../../components/ui/field.tsx'

export interface MailParts {
  to: string
  subject: string
  body: string
}

/** The parts of an e-mail among the arguments of a call; undefined when they are no e-mail. */
export function mailOf(given: Record<string, unknown>): MailParts | undefined {
  const { to, subject, body } = given
  const isMail = typeof to === 'string' && typeof subject === 'string' && typeof body === 'string'
  return isMail ? { to, subject, body } : undefined
}

/** An e-mail as it will be sent, to be changed before. */
export function MailFields({
  mail,
  disabled,
  onChange,
}: {
  mail: MailParts
  disabled: boolean
  onChange: (mail: MailParts) => void
}) {
  const line = (name: 'to' | 'subject') => ({
    value: mail[name],
    disabled,
    onChange: (event: { target: { value: string } }) => onChange({ ...mail, [name]: event.target.value }),
  })
  return (
    <div className="grid grid-cols-1 gap-2">
      <Row label="To">
        {(id) => <input id={id} {...line('to')} className={clsx(inputClass, 'h-10')} spellCheck={false} />}
      </Row>
      <Row label="Subject">
        {(id) => <input id={id} {...line('subject')} className={clsx(inputClass, 'h-10')} />}
      </Row>
      <Row label="Message">
        {(id) => (
          <textarea
            id={id}
            dir="auto"
            rows={5}
            value={mail.body}
            disabled={disabled}
            onChange={(event) => onChange({ ...mail, body: event.target.value })}
            className={clsx(inputClass, 'max-h-80 min-h-24 resize-y py-2 field-sizing-content scroll-quiet')}
          />
        )}
      </Row>
    </div>
  )
}

function Row({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-start max-sm:grid-cols-1">
      <label htmlFor={id} className="pt-2 text-sm text-ink-muted max-sm:pt-0">
        {label}
      </label>
      {children(id)}
    </div>
  )
}
