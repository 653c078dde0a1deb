import { t } from '@lingui/core/macro'
import type { PublicModel } from '#shared/models.ts'
import { formatEffort } from '../lib/text/effort-name.ts'
import { SelectField } from './ui/select-field.tsx'

/** Chooses a model and how much it thinks. A model that is not offered any more stays until another one is chosen. */
export function ModelAndEffortFields({
  models,
  model,
  effort,
  defaultLabel,
  onModelChange,
  onEffortChange,
}: {
  models: readonly PublicModel[]
  /** empty: none is chosen */
  model: string
  /** empty, or one that the model does not have: automatic */
  effort: string
  /** names what counts if no model is chosen */
  defaultLabel: string
  onModelChange: (model: string) => void
  onEffortChange: (effort: string) => void
}) {
  const chosenModel = models.find(({ id }) => id === model)
  const efforts = chosenModel?.efforts ?? []
  return (
    <>
      <SelectField
        label={t`Model`}
        value={model}
        options={[
          { value: '', label: defaultLabel },
          ...models.map(({ id, name }) => ({ value: id, label: name })),
          ...(model === '' || chosenModel
            ? []
            : [{ value: model, label: t`${{ modelId: model }} (not offered any more)` }]),
        ]}
        onChange={onModelChange}
      />
      {efforts.length > 0 && (
        <SelectField
          label={t`Effort`}
          value={efforts.find((each) => each === effort) ?? ''}
          options={[
            { value: '', label: t`Automatic` },
            ...efforts.map((value) => ({ value, label: formatEffort(value) })),
          ]}
          onChange={onEffortChange}
        />
      )}
    </>
  )
}
