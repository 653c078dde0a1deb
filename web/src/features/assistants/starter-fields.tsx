import { t } from '@lingui/core/macro'
import { Plus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { maxStarterCharacters, maxStarters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { inputClass } from '../../components/ui/field.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { bind } from '../../lib/input/text-input.ts'
import type { Input } from '../../lib/input/use-input.ts'
import type { PublishForm } from './publish-form.ts'

/** The texts that a new conversation offers. Each has its field. */
export function StarterFields({ input }: { input: Input<PublishForm> }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { starters } = input.value
  const setStarters = (next: readonly string[]) => input.change({ ...input.value, starters: next })
  return (
    <div role="group" aria-labelledby={id} ref={list} className="grid gap-2">
      <p id={id} className="flex items-baseline justify-between font-medium">
        {t`Starters`}
        <span className="text-sm font-normal text-ink-faint">
          {t`${{ count: starters.length }} of ${{ max: maxStarters }}`}
        </span>
      </p>
      {starters.map((_, index) => (
        <div key={index} className="flex items-center gap-2">
          <input
            {...bind(
              input.part(
                (form) => form.starters[index] ?? '',
                (form, text) => ({
                  ...form,
                  starters: form.starters.map((each, at) => (at === index ? text : each)),
                }),
              ),
            )}
            aria-label={t`Starter ${{ number: index + 1 }}`}
            maxLength={maxStarterCharacters}
            dir="auto"
            autoComplete="off"
            className={`${inputClass} h-11 min-w-0 flex-1`}
          />
          <IconButton
            label={t`Remove starter ${{ number: index + 1 }}`}
            tooltip={false}
            icon={<X size={18} strokeWidth={1.75} />}
            onClick={() => {
              // the button is gone after this, and the focus with it
              flushSync(() => setStarters(starters.filter((_each, at) => at !== index)))
              addButton.current?.focus()
            }}
          />
        </div>
      ))}
      {starters.length < maxStarters && (
        <Button
          ref={addButton}
          variant="ghost"
          size="sm"
          className="-ms-3 justify-self-start"
          onClick={() => {
            // rendered at once, so that its field can take the focus
            flushSync(() => setStarters([...starters, '']))
            ;[...(list.current?.querySelectorAll('input') ?? [])].at(-1)?.focus()
          }}
        >
          <Plus aria-hidden size={16} />
          {t`Add a starter`}
        </Button>
      )}
    </div>
  )
}
