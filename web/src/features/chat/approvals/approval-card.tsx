import { t } from '@lingui/core/macro'
import { ShieldCheck } from 'lucide-react'
import { useRef, useState, useId, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import clsx from 'clsx'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { parseRecipients } from '#shared/mail-recipients.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { revealHiddenCharacters, removeHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { inputClass } from '../../../components/ui/field.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { isEnter } from '../../../lib/input/keys.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { bind, type BindOptions, type TextInput } from '../../../lib/input/text-input.ts'
import type { Input } from '../../../lib/input/use-input.ts'
import { describeRecipients, MailLetter, describeCount, RecipientList } from './mail-letter.tsx'
import { isReadable, parseMail, type MailParts } from './mail.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { ApproveButton, DenyButton } from './decision-buttons.tsx'
import { describeRequest, findOthersAssistant, RequestArguments, ServerHints } from './request-details.tsx'
import { useCardInput } from './card-input.ts'

/** The tooltip of "Always allow". */
export const alwaysAllowHint = t`Run this tool without asking from now on. You can change this in Settings.`

/**
 * Whether a tool can be allowed for good. The product's own tools have no connection that the permission could belong to. A request of a
 * schedule (only those have `lapses_at`) cannot: the schedule itself says what it may do without asking. Neither can one to which an assistant
 * of somebody else may have led.
 */
const canAlwaysAllow = (approval: ApprovalRequest) =>
  approval.integration !== null && approval.lapses_at === undefined && !findOthersAssistant(approval)

const noMail = { to: '', subject: '', body: '' }

/** Shows exactly what a tool call will do, and asks for approval. An e-mail can be edited first; the edited one is what is sent. */
export function ApprovalCard({
  conversation,
  approval,
  assistantName,
  error,
  isFirst,
  pendingDecision,
  onDecide,
}: ApprovalCardProps) {
  const askedMail = parseMail(approval.arguments)
  const input = useCardInput(conversation, approval, askedMail ?? noMail)
  const mail = askedMail && input.value
  const editedArguments = mail && isChanged(approval, mail) ? { ...approval.arguments, ...mail } : undefined
  const approve = (scope?: { always: true }) =>
    onDecide({
      approved: true,
      ...scope,
      ...(editedArguments && { arguments: editedArguments }),
    })
  const isIncomplete = mail !== undefined && mail.to.trim() === ''
  // the fields stay once they are shown, also when what could not be read in them is gone
  const [isEditing, setIsEditing] = useState(mail !== undefined && !isReadable(mail))
  const fields = useRef<HTMLDivElement>(null)
  const edit = () => {
    // at once, because a field gets the focus: the text, which comes last and is edited most
    flushSync(() => setIsEditing(true))
    Array.from(fields.current?.querySelectorAll('textarea') ?? [])
      .at(-1)
      ?.focus()
  }
  const title = translateName(revealHiddenCharacters(approval.title))
  const isDeciding = pendingDecision !== undefined
  return (
    <CardFrame
      icon={ShieldCheck}
      title={
        approval.integration === null
          ? t`${title}?`
          : t`${title} with ${{ integration: formatIntegration(approval) }}?`
      }
      summary={mail && describeRecipients(mail)}
      description={describeRequest(approval, assistantName)}
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          <ApproveButton
            pendingDecision={pendingDecision}
            isIncomplete={isIncomplete}
            onApprove={() => approve()}
          />
          <DenyButton
            pendingDecision={pendingDecision}
            onDecide={onDecide}
            className="max-sm:flex-[2_1_25%]"
          />
          {mail && !isEditing && (
            <Button variant="ghost" disabled={isDeciding} onClick={edit}>
              {t`Edit`}
            </Button>
          )}
          {canAlwaysAllow(approval) && (
            <Tooltip text={alwaysAllowHint} side="top">
              <Button
                variant="ghost"
                className="sm:ms-auto max-sm:me-auto"
                busy={pendingDecision === 'always'}
                disabled={isIncomplete || (isDeciding && pendingDecision !== 'always')}
                onClick={() => approve({ always: true })}
              >
                {pendingDecision === 'always' ? t`Approving…` : t`Always allow`}
              </Button>
            </Tooltip>
          )}
        </>
      }
    >
      {!mail && <RequestArguments approval={approval} />}
      {mail && !isEditing && <MailLetter mail={mail} />}
      {mail && isEditing && (
        <div ref={fields}>
          <MailFields input={input} disabled={isDeciding} />
        </div>
      )}
      <ServerHints approval={approval} />
    </CardFrame>
  )
}

/** The integration, with the publisher of its server if it is from the catalogue. */
const formatIntegration = ({ integration, namespace }: ApprovalRequest) =>
  revealHiddenCharacters([integration, namespace].filter((part) => typeof part === 'string').join(' · '))

const isChanged = ({ arguments: original }: ApprovalRequest, mail: object) =>
  Object.entries(mail).some(([name, value]) => original[name] !== value)

/** The e-mail to be sent, editable. */
function MailFields({ input, disabled }: { input: Input<MailParts>; disabled: boolean }) {
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
