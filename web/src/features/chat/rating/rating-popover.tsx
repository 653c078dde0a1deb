import { t } from '@lingui/core/macro'
import { MessageSquareText } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import type { Feedback } from '#shared/contracts/messages.ts'
import { maxFeedbackCharacters } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { CheckRow } from '../../../components/ui/check-row.tsx'
import { TextAreaField } from '../../../components/ui/field.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/ui/popover.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { tabPrefix } from '../../../lib/input/inputs.ts'
import { useInput } from '../../../lib/input/use-input.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { useRating } from './use-rating.ts'

const toForm = (feedback: Feedback | undefined) => ({
  text: feedback?.text ?? '',
  isReadable: feedback?.text !== undefined,
  isNamed: feedback?.named === true,
})

/** The form for a text about a rating. It is sent only if the user allows administrators to read it. */
function RatingForm({
  message,
  rate: { start, isBusy, error, reset },
  rating,
  onClose,
}: {
  message: ChatMessage
  rate: ReturnType<typeof useRating>
  rating: Feedback['rating']
  onClose: () => void
}) {
  const input = useInput(`${tabPrefix}rating ${message.id}`, {
    stored: toForm(message.feedback),
    onLeave: 'keep',
  })
  const [needsConsent, setNeedsConsent] = useState(false)
  const { text, isReadable, isNamed } = input.value
  const isEmpty = text.trim() === ''
  const clearProblem = () => {
    setNeedsConsent(false)
    if (error) reset()
  }
  const change = (changes: Partial<typeof input.value>) => {
    clearProblem()
    input.change({ ...input.value, ...changes })
  }
  const send = () => {
    if (!isEmpty && !isReadable) return setNeedsConsent(true)
    if (isEmpty && message.feedback?.text === undefined) return onClose()
    start({
      rating: { rating, ...(!isEmpty && { text, readable: true, named: isNamed }) },
      fromForm: (sent) => {
        input.markSaved(toForm(sent ?? undefined))
        onClose()
        showToast('success', isEmpty ? t`Your text was removed` : t`Thank you. Your text was sent.`)
      },
    })
  }
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextAreaField
        label={rating === 'down' ? t`What was wrong? (optional)` : t`What was good? (optional)`}
        rows={3}
        maxLength={maxFeedbackCharacters}
        input={input.at('text')}
        onInput={clearProblem}
        error={needsConsent ? t`Without the tick below the text is not sent.` : undefined}
      />
      <div className="-mx-2.5">
        <CheckRow
          label={t`Administrators may read this text`}
          isChecked={isReadable}
          onChange={(checked) => change({ isReadable: checked, isNamed: checked && isNamed })}
        />
        {isReadable && (
          <CheckRow
            label={t`Show my e-mail address with it`}
            isChecked={isNamed}
            onChange={(checked) => change({ isNamed: checked })}
          />
        )}
      </div>
      <p className="text-sm text-ink-muted">{t`Your rating is counted without your name. The conversation is not shown to administrators.`}</p>
      {error && (
        <Callout variant="danger" error={error}>
          {getActionErrorMessage(error)}
        </Callout>
      )}
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t`Close`}
        </Button>
        <Button size="sm" variant="primary" type="submit" busy={isBusy}>
          {t`Send`}
        </Button>
      </div>
    </form>
  )
}

/** The button beside the thumbs of a rated reply, which opens the form for a text about it. */
export function RatingPopover({
  isOpen,
  onOpenChange,
  ...form
}: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void } & Omit<
  ComponentProps<typeof RatingForm>,
  'onClose'
>) {
  return (
    <Popover open={isOpen} onOpenChange={onOpenChange}>
      <PopoverTrigger asChild>
        <IconButton size="sm" label={t`Say why`} icon={<MessageSquareText size={16} />} />
      </PopoverTrigger>
      <PopoverContent aria-label={t`Say why`} align="start" side="top" className="p-4">
        <RatingForm {...form} onClose={() => onOpenChange(false)} />
      </PopoverContent>
    </Popover>
  )
}
