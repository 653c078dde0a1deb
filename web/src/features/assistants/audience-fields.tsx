import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CheckRow } from '../../components/ui/check-row.tsx'
import { FieldError } from '../../components/ui/field.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import type { Input } from '../../lib/input/use-input.ts'
import type { PublishForm } from './publish-form.ts'

/** Who may use the assistant, and whether they may copy it. */
export function AudienceFields({
  input,
  groups,
  problem,
}: {
  input: Input<PublishForm>
  /** those that the publisher can name */
  groups: readonly string[]
  problem: string | undefined
}) {
  const { isForEveryone, groups: chosen, mayCopy } = input.value
  const isAdmin = useQuery({ ...accountQuery, enabled: false }).data?.is_admin === true
  const id = useId()
  const change = (changed: Partial<PublishForm>) => input.change({ ...input.value, ...changed })
  return (
    <Card as="section" className="p-6 max-sm:p-4">
      <fieldset aria-describedby={problem === undefined ? undefined : `${id}-error`} className="grid gap-1">
        <legend className="mb-2 text-base/6 font-semibold">{t`Who may use it`}</legend>
        <RadioRow
          label={t`Groups`}
          isChecked={!isForEveryone}
          onChoose={() => change({ isForEveryone: false })}
        >
          {groups.length === 0
            ? t`You are in no group, so you can publish for everyone only.`
            : isAdmin
              ? t`Members of these groups. As an administrator you can name any group.`
              : t`Members of these groups, which you are in. A group that you leave loses it.`}
        </RadioRow>
        {!isForEveryone && groups.length > 0 && (
          <GroupButtons groups={groups} chosen={chosen} onChange={(next) => change({ groups: next })} />
        )}
        <RadioRow
          label={t`Everyone here`}
          isChecked={isForEveryone}
          onChoose={() => change({ isForEveryone: true })}
        >
          {t`All people of this installation, also those who join later.`}
        </RadioRow>
        <FieldError id={id} error={problem} />
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

function GroupButtons({
  groups,
  chosen,
  onChange,
}: {
  groups: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  return (
    <div role="group" aria-label={t`Groups`} className="flex flex-wrap gap-2 ps-9 pb-2">
      {groups.map((group) => {
        const isChosen = chosen.includes(group)
        return (
          <Button
            key={group}
            size="sm"
            variant={isChosen ? 'soft' : 'outline'}
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? chosen.filter((each) => each !== group) : [...chosen, group])}
          >
            {isChosen && <Check aria-hidden size={16} />}
            {group}
          </Button>
        )
      })}
    </div>
  )
}
