import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useId, type ReactNode } from 'react'
import { parseRecipients } from '#shared/mail-recipients.ts'
import { Button } from '../../../components/ui/button.tsx'
import { inputClass } from '../../../components/ui/field.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { isEnter } from '../../../lib/keys.ts'
import { revealHiddenCharacters, removeHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { translateSentence } from '../../../lib/translate.ts'
import { bind, type BindOptions, type TextInput } from '../../../lib/text-input.ts'
import { describeCount, RecipientList } from './mail-letter.tsx'
import type { MailParts } from './mail.ts'
import type { Input } from '../../../lib/use-input.ts'

/** The e-mail to be sent, editable. */
export function MailFields({ input, disabled }: { input: Input<MailParts>; disabled: boolean }) {
  const mail = input.value
  const recipients = useId()
  const visibleMail = {
    to: removeHiddenCharacters(mail.to),
    subject: removeHiddenCharacters(mail.subject),
    body: removeHiddenCharacters(mail.body),
  }
  const hasInvisible = Object.values(mail).join('\n') !== Object.values(visibleMail).join('\n')
  return (
    <div className="grid grid-cols-1 gap-2">
      <MailField
        label={t`To`}
        input={input.at('to')}
        format={joinLines}
        disabled={disabled}
        describedBy={recipients}
        isSpellChecked={false}
      >
        <Recipients id={recipients} to={mail.to} />
      </MailField>
      <MailField
        label={t`Subject`}
        input={input.at('subject')}
        format={(subject) => subject.replace(/[\r\n]+/g, ' ')}
        disabled={disabled}
        isSingleLine
      />
      <MailField label={t`Message`} input={input.at('body')} minRows={4} disabled={disabled} />
      {!disabled && hasInvisible && (
        <Button
          size="sm"
          className="justify-self-start sm:ms-[4.5rem]"
          onClick={() => input.change(visibleMail)}
        >
          {t`Remove invisible characters`}
        </Button>
      )}
    </div>
  )
}

/** The recipients that the field names, or what is wrong with them. */
function Recipients({ id, to }: { id: string; to: string }) {
  const parsed = parseRecipients(to)
  if ('problem' in parsed)
    return (
      <p id={id} className="text-sm text-danger-ink empty:hidden">
        {to.trim() !== '' && revealHiddenCharacters(translateSentence(parsed.problem))}
      </p>
    )
  const { recipients } = parsed
  return (
    <div id={id} className="px-3.5 text-sm">
      <p className="text-ink-muted">{describeCount(recipients.length)}</p>
      <RecipientList recipients={recipients} />
    </div>
  )
}

/** A field that grows with its text, so that all of it is visible. */
function MailField({
  label,
  input,
  format,
  minRows = 1,
  isSingleLine = false,
  isSpellChecked = true,
  disabled,
  describedBy,
  children,
}: {
  label: string
  input: TextInput
  format?: BindOptions['format']
  minRows?: number
  /** ignores Enter */
  isSingleLine?: boolean
  isSpellChecked?: boolean
  disabled: boolean
  describedBy?: string
  children?: ReactNode
}) {
  const id = useId()
  const { value } = input
  const revealed = revealHiddenCharacters(value)
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-start max-sm:grid-cols-1">
      <label htmlFor={id} className="pt-2 text-sm text-ink-muted max-sm:pt-0">
        {label}
      </label>
      <div className="grid grid-cols-1 gap-1">
        <textarea
          id={id}
          dir="auto"
          rows={Math.max(minRows, countRows(value))}
          {...bind(input, { format })}
          disabled={disabled}
          spellCheck={isSpellChecked}
          aria-describedby={describedBy}
          onKeyDown={(event) => {
            if (isSingleLine && isEnter(event)) event.preventDefault()
          }}
          className={clsx(
            inputClass,
            'resize-none py-2 wrap-anywhere field-sizing-content',
            minRows > 1 && 'min-h-24',
          )}
        />
        {children}
        {revealed !== value && (
          <Callout variant="warning">
            {t`This text contains invisible characters. With them shown in brackets:`}
            <span className="mt-1 block font-mono text-[12.5px] whitespace-pre-wrap wrap-anywhere">
              {revealed}
            </span>
          </Callout>
        )}
      </div>
    </div>
  )
}

/** About as many as fit into a row of the field on a phone. */
const rowCharacters = 40

/** Estimates how many rows a text takes, for browsers without `field-sizing`. */
const countRows = (text: string) =>
  text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / rowCharacters)), 0)

/** Turns a list with one recipient per line, as it may be pasted, into one with commas. */
function joinLines(to: string): string {
  const [first = '', ...others] = to.split(/[\r\n]/)
  return others.reduce((joined, line, index) => {
    if (line.trim() === '' && index < others.length - 1) return joined
    const before = joined.trimEnd().replace(/,$/, '')
    return before === '' ? line : `${before}, ${line.trimStart()}`
  }, first)
}
