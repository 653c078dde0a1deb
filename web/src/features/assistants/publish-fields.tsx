import { t } from '@lingui/core/macro'
import { Check, Plus, X } from 'lucide-react'
import { useId, useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Assistant } from '#shared/contracts/assistants.ts'
import {
  maxAssistantDescriptionCharacters,
  maxAssistantNewsCharacters,
  maxProjectNameCharacters,
  maxStarterCharacters,
  maxStarters,
} from '#shared/limits.ts'
import { NameTile } from '../../components/name-tile.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CheckRow } from '../../components/ui/check-row.tsx'
import { inputClass, TextAreaField, TextField } from '../../components/ui/field.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { bind } from '../../lib/text-input.ts'
import type { Input } from '../../lib/use-input.ts'
import { PictureButtons } from './picture-buttons.tsx'
import { findShownPicture, type PublishForm } from './publish-form.ts'

interface FieldsProps {
  input: Input<PublishForm>
}

/** How the assistant shows itself. */
export function AppearanceFields({
  input,
  before,
  isValidated,
}: FieldsProps & { before: Pick<Assistant, 'picture'> | undefined; isValidated: boolean }) {
  const { name } = input.value
  return (
    <Card as="section" className="grid gap-5 p-6 max-sm:p-4">
      <div className="flex items-center gap-4">
        <NameTile name={name} picture={findShownPicture(input.value, before)} size="lg" />
        <PictureButtons input={input} before={before} />
      </div>
      <TextField
        label={t`Name`}
        input={input.at('name')}
        maxLength={maxProjectNameCharacters}
        dir="auto"
        autoComplete="off"
        error={isValidated && name.trim() === '' ? t`Please enter a name.` : undefined}
      />
      <TextAreaField
        label={t`What is it for?`}
        input={input.at('description')}
        rows={2}
        maxLength={maxAssistantDescriptionCharacters}
      />
      <Starters input={input} />
    </Card>
  )
}

function Starters({ input }: FieldsProps) {
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

/** Who may use the assistant, and whether they may copy it. */
export function AudienceFields({
  input,
  groups,
  problem,
}: FieldsProps & {
  /** those that the publisher can name */
  groups: readonly string[]
  problem: string | undefined
}) {
  const { isForEveryone, groups: chosen, mayCopy } = input.value
  const errorId = useId()
  const change = (changed: Partial<PublishForm>) => input.change({ ...input.value, ...changed })
  const describedBy = problem === undefined ? undefined : errorId
  return (
    <Card as="section" className="p-6 max-sm:p-4">
      <fieldset aria-describedby={describedBy} className="grid gap-1">
        <legend className="mb-2 text-base/6 font-semibold">{t`Who may use it`}</legend>
        <RadioRow
          label={t`Groups`}
          isChecked={!isForEveryone}
          onChoose={() => change({ isForEveryone: false })}
        >
          {groups.length === 0
            ? t`You are in no group, so you can publish for everyone only.`
            : t`Members of these groups, which you are in. A group that you leave loses it.`}
        </RadioRow>
        {!isForEveryone && groups.length > 0 && (
          <div role="group" aria-label={t`Groups`} className="flex flex-wrap gap-2 ps-9 pb-2">
            {groups.map((group) => {
              const isChosen = chosen.includes(group)
              return (
                <Button
                  key={group}
                  size="sm"
                  variant={isChosen ? 'soft' : 'outline'}
                  aria-pressed={isChosen}
                  onClick={() =>
                    change({
                      groups: isChosen ? chosen.filter((each) => each !== group) : [...chosen, group],
                    })
                  }
                >
                  {isChosen && <Check aria-hidden size={16} />}
                  {group}
                </Button>
              )
            })}
          </div>
        )}
        <RadioRow
          label={t`Everyone here`}
          isChecked={isForEveryone}
          onChoose={() => change({ isForEveryone: true })}
        >
          {t`All people of this installation, also those who join later.`}
        </RadioRow>
        <p id={errorId} aria-live="polite" className="text-sm text-danger-ink empty:hidden">
          {problem}
        </p>
      </fieldset>
      <div className="mt-3 border-t border-line pt-3">
        <CheckRow
          label={t`Allow copies`}
          hint={t`They can make a project of their own from it, and read its instructions and the texts of its files there. Copies stay when you withdraw it.`}
          isChecked={mayCopy}
          onChange={(next) => change({ mayCopy: next })}
        />
      </div>
    </Card>
  )
}

function RadioRow({
  label,
  isChecked,
  onChoose,
  children,
}: {
  label: string
  isChecked: boolean
  onChoose: () => void
  children: ReactNode
}) {
  return (
    <label className="grid min-h-11 cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 rounded-sm px-2.5 py-2 hover:bg-surface-hover">
      <input
        type="radio"
        name="audience"
        checked={isChecked}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span className="font-medium">{label}</span>
      <span className="col-start-2 text-sm text-ink-muted">{children}</span>
    </label>
  )
}

/** What conversations that go on with the new version say of it. */
export function NewsField({ input, version }: FieldsProps & { version: number }) {
  return (
    <Card as="section" className="p-6 max-sm:p-4">
      <TextField
        label={t`What is new in version ${{ version }}?`}
        input={input.at('news')}
        maxLength={maxAssistantNewsCharacters}
        dir="auto"
        autoComplete="off"
        hint={t`Shown once in conversations that go on with the new version.`}
      />
    </Card>
  )
}
