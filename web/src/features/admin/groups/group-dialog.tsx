import { t } from '@lingui/core/macro'
import type { Group, GroupLimits } from '#shared/contracts/admin.ts'
import type { PublicModel } from '#shared/models.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { describeLimits, rightsText } from '../describe-limits.ts'
import { maxGroupDescriptionCharacters, maxGroupNameCharacters } from '../service-limits.ts'
import { LimitsChange } from '../limits-change.tsx'
import {
  findLimitProblems,
  toLimits,
  excludesAllModels,
  numberLimits,
  numberRules,
  type LimitsDraft,
  type NumberLimit,
} from './limits-draft.ts'
import { useGroupForm, type GroupInput } from './use-group-form.ts'
import { useId } from 'react'
import { groupRights } from '#shared/group-rights.ts'
import { maxSchedules } from '#shared/limits.ts'
import { CheckRow } from '../../../components/ui/check-row.tsx'
import { SelectField } from '../../../components/ui/select-field.tsx'
import type { Input } from '../../../lib/input/use-input.ts'

const describeConflict = (limits: string) =>
  t`Somebody else has changed this group meanwhile. It now says: ${limits} Save again to replace that, or use the newer version.`
/** A description and limits as one sentence. */
const formatSentence = (description: string, limits: readonly string[]) =>
  [description, limits.join(', ')]
    .map((part) => part.trim().replace(/[.]$/, ''))
    .filter(Boolean)
    .join('; ') + '.'

/** Creates a group, or changes its description and limits. @param group undefined for a new one */
export function GroupDialog({
  group: edited,
  open,
  onClose,
}: {
  group: Group | undefined
  open: boolean
  onClose: () => void
}) {
  const models = useConfig()?.models
  const { input, group, newerGroup, replaceInput, problems, save } = useGroupForm(edited)
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      wide
      inputs={[input]}
      title={group ? t`Group “${group.name}”` : t`New group`}
      confirmLabel={group ? t`Save` : t`Create group`}
      actionKey={`group ${group?.name ?? 'new'}`}
      onConfirm={save}
    >
      {!edited && (
        <TextField
          label={t`Name`}
          hint={t`It cannot be changed later.`}
          input={input.at('name')}
          error={problems.name}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxGroupNameCharacters}
          dir="auto"
        />
      )}
      <TextField
        label={t`Description`}
        input={input.at('description')}
        autoComplete="off"
        maxLength={maxGroupDescriptionCharacters}
        dir="auto"
      />
      <LimitsForm input={input} problems={problems} />
      {group && Object.keys(findLimitProblems(input.value.draft)).length === 0 && (
        <LimitsChange
          before={group.limits}
          after={toLimits(input.value.draft)}
          whose={t`For members of no other group:`}
        />
      )}
      {newerGroup && (
        <Callout
          variant="warning"
          action={{ label: t`Use the newer version`, onClick: () => replaceInput(newerGroup) }}
        >
          {describeConflict(formatSentence(newerGroup.description, describeOwnLimits(newerGroup, models)))}
        </Callout>
      )}
    </ActionDialog>
  )
}

function describeOwnLimits(group: Group, models: readonly PublicModel[] | undefined): string[] {
  const phrases = describeLimits(group.limits, models)
  return phrases.length === 0 ? [t`no limits of its own`] : phrases
}

const fields = {
  tokens_per_day: { label: t`Tokens a day`, unit: t`tokens` },
  tokens_per_month: { label: t`Tokens a month`, unit: t`tokens` },
  cost_per_day: { label: t`Cost a day`, unit: 'USD' },
  cost_per_month: { label: t`Cost a month`, unit: 'USD' },
  images_per_day: { label: t`Generated images a day`, unit: t`images` },
  uploads_per_day: { label: t`Uploads a day`, unit: t`files` },
  storage_gb: { label: t`Stored files`, unit: 'GB' },
  max_schedules: { label: t`Schedules of a person, ${{ max: maxSchedules }} at most`, unit: t`schedules` },
}
const toolChoicesText = {
  default: t`Not set in this group`,
  all: t`All tools`,
  catalogue: t`Catalogue only, no custom tools`,
  built_in: t`Built-in integrations only`,
  none: t`No tools`,
}
const twoFactorChoicesText = {
  default: t`Not set in this group`,
  required: t`Required`,
  optional: t`Optional in this group`,
}

const rightChoices = [
  { value: 'default', label: t`Not set in this group` },
  { value: 'allowed', label: t`Allowed` },
  { value: 'forbidden', label: t`Not allowed` },
] as const

const toolChoices = (['default', 'all', 'catalogue', 'built_in', 'none'] as const).map((value) => ({
  value,
  label: toolChoicesText[value],
}))
const twoFactorChoices = (['default', 'required', 'optional'] as const).map((value) => ({
  value,
  label: twoFactorChoicesText[value],
}))

/** The limits of a group. @param problems what is wrong with them, as far as it is to be shown */
function LimitsForm({
  input,
  problems,
}: {
  input: Input<GroupInput>
  problems: Partial<Record<NumberLimit, string>>
}) {
  const { draft } = input.value
  const change = (changed: Partial<LimitsDraft>) =>
    input.change({ ...input.value, draft: { ...draft, ...changed } })
  const offeredModels = useConfig()?.models ?? []
  return (
    <fieldset className="grid gap-4">
      <legend className="font-medium">{t`Limits`}</legend>
      <p className="text-sm text-ink-muted">
        {t`A field that is left empty has no say: the limits of a member’s other groups count, and where none sets one, the installation’s. 0 allows nothing.`}{' '}
        {t`Cached tokens count in full.`}
      </p>
      <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        {numberLimits.map((limit) => (
          <NumberField key={limit} limit={limit} input={input} error={problems[limit]} />
        ))}
        <SelectField
          label={t`Tools`}
          value={draft.tools}
          options={toolChoices}
          onChange={(tools) => change({ tools })}
        />
        <SelectField
          label={t`Two-factor`}
          value={draft.twoFactor}
          options={twoFactorChoices}
          onChange={(twoFactor) => change({ twoFactor })}
        />
        {excludesAllModels(draft, offeredModels) && (
          <div className="col-span-full">
            <Callout variant="warning">{t`None of the models that members may choose has a known price, so a limit of costs leaves them without any model. An operator sets prices in the list of models.`}</Callout>
          </div>
        )}
        <ModelChoice
          offeredModels={offeredModels}
          models={draft.models}
          onChange={(models) => change({ models })}
        />
      </div>
      <RightsChoice rights={draft.rights} onChange={(rights) => change({ rights })} />
    </fieldset>
  )
}

function NumberField({
  limit,
  input,
  error,
}: {
  limit: NumberLimit
  input: Input<GroupInput>
  error: string | undefined
}) {
  const { label, unit } = fields[limit]
  return (
    <TextField
      name={limit}
      label={label}
      inputMode={numberRules[limit].hasDecimals ? 'decimal' : 'numeric'}
      autoComplete="off"
      input={input.part(
        ({ draft }) => draft.numbers[limit],
        (form, text) => ({
          ...form,
          draft: { ...form.draft, numbers: { ...form.draft.numbers, [limit]: text } },
        }),
      )}
      error={error}
      {...(limit.startsWith('cost_') && {
        hint: t`Members can then use only models with a known price.`,
      })}
      trailingWidth="pe-20"
      trailing={<span className="pointer-events-none px-3 text-sm text-ink-faint">{unit}</span>}
    />
  )
}

function RightsChoice({
  rights,
  onChange,
}: {
  rights: LimitsDraft['rights']
  onChange: (rights: LimitsDraft['rights']) => void
}) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="grid gap-3">
      <p id={id} className="font-medium">{t`Members may`}</p>
      <p className="-mt-2 text-sm text-ink-muted">{t`Allowed unless a group says otherwise. Administrators always may.`}</p>
      <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        {groupRights.map((right) => (
          <SelectField
            key={right}
            label={rightsText[right]}
            value={rights[right]}
            options={rightChoices}
            onChange={(choice) => onChange({ ...rights, [right]: choice })}
          />
        ))}
      </div>
    </div>
  )
}

function ModelChoice({
  offeredModels,
  models,
  onChange,
}: {
  offeredModels: readonly PublicModel[]
  /** undefined: all */
  models: GroupLimits['models']
  onChange: (models: string[] | undefined) => void
}) {
  const listedModels = [
    ...offeredModels.map(({ id, name }) => ({ id, name, hint: name === id ? '' : id })),
    // models of an earlier configuration
    ...(models ?? [])
      .filter((id) => !offeredModels.some((model) => model.id === id))
      .map((id) => ({ id, name: id, hint: t`No longer offered` })),
  ]
  return (
    <>
      <SelectField
        label={t`Models`}
        value={models ? 'some' : 'all'}
        options={[
          { value: 'all', label: t`Not set in this group` },
          { value: 'some', label: t`Only these` },
        ]}
        onChange={(value) => onChange(value === 'all' ? undefined : offeredModels.map(({ id }) => id))}
      />
      {models && (
        <div
          role="group"
          aria-label={t`Models that members may choose`}
          className="col-span-full -mx-2.5 grid"
        >
          {listedModels.map(({ id, name, hint }) => (
            <CheckRow
              key={id}
              label={name}
              hint={hint}
              isChecked={models.includes(id)}
              onChange={(isOn) => onChange(isOn ? [...models, id] : models.filter((each) => each !== id))}
            />
          ))}
        </div>
      )}
    </>
  )
}
