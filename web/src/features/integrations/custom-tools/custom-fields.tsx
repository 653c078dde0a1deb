import { t } from '@lingui/core/macro'
import { Minus, Plus } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { inputClass } from '../../../components/ui/field.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { bind } from '../../../lib/input/text-input.ts'
import type { Input } from '../../../lib/input/use-input.ts'
import { Optional } from '../connect/credential-fields.tsx'
import { createRow, removeRow, type ToolForm } from './custom-tool-form.ts'

/** Names and values that are sent with each request to the server. */
export function CustomFields({
  input,
  areValuesVisible,
  onToggleValues,
  onChange,
}: {
  input: Input<ToolForm>
  areValuesVisible: boolean
  onToggleValues: () => void
  onChange: () => void
}) {
  const { fields } = input.value
  const changeRows = (rows: ToolForm['fields']) => {
    input.change({ ...input.value, fields: rows })
    onChange()
  }
  const bindRow = (id: string, name: 'key' | 'value') =>
    bind(
      input.part(
        (tool) => tool.fields.find((row) => row.id === id)?.[name] ?? '',
        (tool, text) => ({
          ...tool,
          fields: tool.fields.map((row) => (row.id === id ? { ...row, [name]: text } : row)),
        }),
      ),
      { onInput: onChange },
    )
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 flex w-full justify-between font-medium">
        {t`Custom fields`}
        <Optional />
      </legend>
      {/* in the document the buttons come after the fields: Tab leads from one field to the next */}
      <div className="grid grid-cols-[1fr_1fr_auto] items-center gap-2">
        {fields.map((row, index) => (
          <Fragment key={row.id}>
            <input
              aria-label={t`Field ${{ position: index + 1 }} key`}
              placeholder={t`Key`}
              autoComplete="off"
              spellCheck={false}
              {...bindRow(row.id, 'key')}
              style={{ gridRow: index + 1, gridColumn: 1 }}
              className={`${inputClass} h-11`}
            />
            <input
              aria-label={t`Field ${{ position: index + 1 }} value`}
              placeholder={t`Value`}
              // values are often secrets
              type={areValuesVisible ? 'text' : 'password'}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              {...bindRow(row.id, 'value')}
              style={{ gridRow: index + 1, gridColumn: 2 }}
              className={`${inputClass} h-11`}
            />
          </Fragment>
        ))}
        {fields.map((row, index) => (
          <IconButton
            key={row.id}
            label={t`Remove field ${{ position: index + 1 }}`}
            tooltip={false}
            disabled={fields.length === 1}
            icon={<Minus size={16} />}
            onClick={() => changeRows(removeRow(fields, row.id))}
            style={{ gridRow: index + 1, gridColumn: 3 }}
          />
        ))}
      </div>
      <div className="flex items-center justify-between gap-3">
        <Button
          variant="ghost"
          size="sm"
          className="-ms-3"
          onClick={() => changeRows([...fields, createRow()])}
        >
          <Plus aria-hidden size={16} />
          {t`Add field`}
        </Button>
        <button type="button" onClick={onToggleValues} className="link text-sm">
          {areValuesVisible ? t`Hide values` : t`Show values`}
        </button>
      </div>
    </fieldset>
  )
}
