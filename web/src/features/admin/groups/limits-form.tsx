import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { PublicModel } from '#shared/models.ts'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { useConfig } from '../../../lib/config.ts'
import { CheckRow } from '../../../components/ui/check-row.tsx'
import { SelectField } from '../../../components/ui/select-field.tsx'
import {
  allowsDecimals,
  excludesAllModels,
  numberLimits,
  type LimitsDraft,
  type NumberLimit,
} from './limits-draft.ts'
import * as texts from './texts.ts'
import type { Input } from '../../../lib/use-input.ts'

const toolChoices = (['default', 'all', 'catalogue', 'built_in', 'none'] as const).map((value) => ({
  value,
  label: texts.toolChoices[value],
}))
const twoFactorChoices = (['default', 'required', 'optional'] as const).map((value) => ({
  value,
  label: texts.twoFactorChoices[value],
}))

/** The limits of a group. @param invalidLimits those whose text is not a valid number */
export function LimitsForm({
  input,
  invalidLimits,
}: {
  input: Input<{ name: string; description: string; draft: LimitsDraft }>
  invalidLimits: readonly NumberLimit[]
}) {
  const { draft } = input.value
  const onChange = (changed: LimitsDraft) => input.change({ ...input.value, draft: changed })
  const offeredModels = useConfig()?.models ?? []
  return (
    <fieldset className="grid gap-4">
      <legend className="font-medium">{texts.limits}</legend>
      <p className="text-sm text-ink-muted">{texts.limitsHint}</p>
      <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        {numberLimits.map((limit) => (
          <TextField
            key={limit}
            name={limit}
            label={texts.fields[limit].label}
            inputMode={allowsDecimals(limit) ? 'decimal' : 'numeric'}
            autoComplete="off"
            input={input.part(
              (form) => form.draft.numbers[limit],
              (form, text) => ({
                ...form,
                draft: { ...form.draft, numbers: { ...form.draft.numbers, [limit]: text } },
              }),
            )}
            error={
              invalidLimits.includes(limit)
                ? allowsDecimals(limit)
                  ? texts.decimalNumber
                  : texts.wholeNumber
                : undefined
            }
            {...(limit.startsWith('cost_') && { hint: texts.pricedOnly })}
            className="pr-20!"
            trailing={
              <span className="pointer-events-none px-3 text-sm text-ink-faint">
                {texts.fields[limit].unit}
              </span>
            }
          />
        ))}
        <SelectField
          label={texts.tools}
          value={draft.tools}
          options={toolChoices}
          onChange={(tools) => onChange({ ...draft, tools })}
        />
        <SelectField
          label={texts.twoFactor}
          value={draft.twoFactor}
          options={twoFactorChoices}
          onChange={(twoFactor) => onChange({ ...draft, twoFactor })}
        />
        {excludesAllModels(draft, offeredModels) && (
          <div className="col-span-full">
            <Callout variant="danger">{texts.noPricedModel}</Callout>
          </div>
        )}
        <ModelChoice
          offeredModels={offeredModels}
          models={draft.models}
          onChange={(models) => onChange({ ...draft, models })}
        />
      </div>
    </fieldset>
  )
}

function ModelChoice({
  offeredModels,
  models,
  onChange,
}: {
  offeredModels: readonly PublicModel[]
  models: GroupLimits['models']
  onChange: (models: string[] | undefined) => void
}) {
  const listedModels = [
    ...offeredModels.map(({ id, name }) => ({ id, name, hint: name === id ? '' : id })),
    // models of an earlier configuration
    ...(models ?? [])
      .filter((id) => !offeredModels.some((model) => model.id === id))
      .map((id) => ({ id, name: id, hint: texts.unknownModel })),
  ]
  return (
    <>
      <SelectField
        label={texts.models}
        value={models ? 'some' : 'all'}
        options={[
          { value: 'all', label: texts.allModels },
          { value: 'some', label: texts.onlyThese },
        ]}
        onChange={(value) => onChange(value === 'all' ? undefined : offeredModels.map(({ id }) => id))}
      />
      {models && (
        <div role="group" aria-label={texts.chooseModels} className="col-span-full -mx-2.5 grid">
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
