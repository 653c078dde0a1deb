import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef } from 'react'
import type { ElicitationField, FieldValue } from '#shared/contracts/elicitation.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { formatList } from '../../../lib/locale.ts'
import { toContent, type AllValues, type FormRequest } from './elicitation-values.ts'

/** Shows exactly what is sent, and to whom. It takes the focus, so that screen readers read it. */
export function ElicitationReview({
  server,
  forms,
  values,
}: {
  server: string
  forms: readonly FormRequest[]
  values: AllValues
}) {
  const id = useId()
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => region.current?.focus(), [])
  const rows = forms.flatMap((request) => {
    const content = new Map(Object.entries(toContent(request, values[request.key] ?? {})))
    return request.fields.map((field) => ({ key: request.key, field, value: content.get(field.name) }))
  })
  return (
    <div ref={region} tabIndex={-1} role="group" aria-labelledby={id} className="grid gap-2 outline-offset-4">
      <p id={id}>{t`This is sent to ${server}:`}</p>
      {rows.length === 0 && <p className="text-ink-muted">{t`Nothing`}</p>}
      <dl className="grid gap-2 rounded-md bg-surface-hover px-3.5 py-3 empty:hidden">
        {rows.map(({ key, field, value }) => (
          <div key={`${key} ${field.name}`}>
            <dt className="text-sm text-ink-muted">{field.label}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">
              {value === undefined ? (
                <span className="text-ink-faint">{t`Left empty`}</span>
              ) : (
                formatSentValue(field, value)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Formats a value as it is sent; an option as its label, with its value if that differs. */
function formatSentValue({ options = [] }: ElicitationField, value: FieldValue): string {
  const formatOption = (chosen: string) => {
    const label = options.find((option) => option.value === chosen)?.label ?? chosen
    return revealHiddenCharacters(label === chosen ? chosen : `${label} (${chosen})`)
  }
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'object') return formatList(value.map(formatOption)) || t`Nothing`
  return typeof value === 'number' ? String(value) : formatOption(value)
}
