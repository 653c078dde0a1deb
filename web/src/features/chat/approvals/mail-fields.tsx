import clsx from 'clsx'
import { useId, type ReactNode } from 'react'
import { parseRecipients } from '#shared/mail-recipients.ts'
import type { ApprovalRequest } from '#shared/contracts/sessions.ts'
import { inputClass } from '../../../components/ui/field.tsx'
import { Notice } from '../../../components/ui/callout.tsx'
import { visibly, withoutHidden } from '../tools/hidden-characters.ts'

export interface MailParts {
  to: string
  subject: string
  body: string
}

/**
 * The parts of an e-mail that a call sends.
 * @returns undefined where they are not all of its arguments, or where its recipients cannot be listed: such a call is shown as it is
 */
export function mailOf(given: ApprovalRequest['arguments']): MailParts | undefined {
  const { to, subject, body, ...others } = given
  if (typeof to !== 'string' || typeof subject !== 'string' || typeof body !== 'string') return undefined
  if (Object.keys(others).length > 0 || 'problem' in parseRecipients(to)) return undefined
  return { to, subject, body }
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
  const recipients = useId()
  return (
    <div className="grid grid-cols-1 gap-2">
      <MailField
        label="To"
        value={mail.to}
        disabled={disabled}
        describedBy={recipients}
        onChange={(to) => onChange({ ...mail, to: to.replace(/,?\s*[\r\n]+\s*/g, ', ') })}
      >
        <Recipients id={recipients} to={mail.to} />
      </MailField>
      <MailField
        label="Subject"
        value={mail.subject}
        disabled={disabled}
        oneLine
        onChange={(subject) => onChange({ ...mail, subject: subject.replace(/[\r\n]+/g, ' ') })}
      />
      <MailField
        label="Message"
        value={mail.body}
        leastRows={4}
        disabled={disabled}
        onChange={(body) => onChange({ ...mail, body })}
      />
    </div>
  )
}

/** Who gets the e-mail, one to a line: the address first, which no name can push away or pretend to be. */
function Recipients({ id, to }: { id: string; to: string }) {
  const parsed = parseRecipients(to)
  if ('problem' in parsed)
    return (
      <p id={id} className="text-sm text-danger-ink empty:hidden">
        {to.trim() !== '' && visibly(parsed.problem)}
      </p>
    )
  const { recipients } = parsed
  return (
    <div id={id} className="px-3.5 text-sm">
      <p className="text-ink-muted">
        {recipients.length === 1 ? 'Goes to 1 recipient:' : `Goes to ${recipients.length} recipients:`}
      </p>
      <ul aria-label="Recipients">
        {recipients.map(({ name, address }, at) => (
          <li key={at} className="[overflow-wrap:anywhere]">
            <bdi>{address}</bdi>
            {name && (
              <span className="text-ink-muted">
                {' '}
                (<bdi>{visibly(name)}</bdi>)
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A field that grows with its text, so that none of it is out of sight. */
function MailField({
  label,
  value,
  leastRows = 1,
  oneLine = false,
  disabled,
  describedBy,
  onChange,
  children,
}: {
  label: string
  value: string
  leastRows?: number
  /** Enter does nothing in it */
  oneLine?: boolean
  disabled: boolean
  describedBy?: string
  onChange: (value: string) => void
  children?: ReactNode
}) {
  const id = useId()
  const shown = visibly(value)
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-start max-sm:grid-cols-1">
      <label htmlFor={id} className="pt-2 text-sm text-ink-muted max-sm:pt-0">
        {label}
      </label>
      <div className="grid grid-cols-1 gap-1">
        <textarea
          id={id}
          dir="auto"
          rows={Math.max(leastRows, countRows(value))}
          value={value}
          disabled={disabled}
          spellCheck={describedBy === undefined}
          aria-describedby={describedBy}
          onKeyDown={(event) => {
            if (oneLine && event.key === 'Enter') event.preventDefault()
          }}
          onChange={(event) => onChange(event.target.value)}
          className={clsx(
            inputClass,
            'resize-none py-2 [overflow-wrap:anywhere] field-sizing-content',
            leastRows > 1 && 'min-h-24',
          )}
        />
        {children}
        {shown !== value && (
          <Notice
            tone="danger"
            action={
              disabled ? undefined : { label: 'Remove them', onClick: () => onChange(withoutHidden(value)) }
            }
          >
            Some characters here cannot be seen. With them shown in brackets it reads:
            <span className="mt-1 block font-mono text-[12.5px] whitespace-pre-wrap [overflow-wrap:anywhere]">
              {shown}
            </span>
          </Notice>
        )}
      </div>
    </div>
  )
}

/** About how many rows a text takes, for browsers whose fields do not grow by themselves. */
const countRows = (text: string) =>
  text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / 40)), 0)
