import { t } from '@lingui/core/macro'
import { SelectField } from '../../../components/ui/select-field.tsx'
import { columnLabels, formatCell, type Column, type Usage, type UsageViewProps } from './usage-columns.ts'
import { RowName } from './usage-row-name.tsx'

/** The usage on a phone: a row is a list of its numbers. */
export function UsageList({ titleId, labels, columns, rows, total, sort, onSort }: UsageViewProps) {
  return (
    <div className="mt-3">
      {rows.length > 1 && (
        <SelectField
          label={t`Sort by`}
          value={sort.key}
          options={(['name', ...columns] as const).map((value) => ({ value, label: labels[value] }))}
          onChange={onSort}
        />
      )}
      <ul aria-labelledby={titleId} className="*:not-first:border-t">
        {rows.map((row) => (
          <li key={row.key} className="border-line py-3">
            <p className="font-medium wrap-anywhere">
              <RowName row={row} />
            </p>
            <Numbers usage={row} columns={columns} />
          </li>
        ))}
        {total && (
          <li className="border-line-strong py-3">
            <p className="font-medium">{t`Total`}</p>
            <Numbers usage={total} columns={columns} />
          </li>
        )}
      </ul>
    </div>
  )
}

function Numbers({ usage, columns }: { usage: Usage; columns: readonly Column[] }) {
  return (
    <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-6 gap-y-0.5 text-sm">
      {columns.map((column) => (
        <div key={column} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-ink-muted">{columnLabels[column]}</dt>
          <dd className="text-end">{formatCell(usage, column)}</dd>
        </div>
      ))}
    </dl>
  )
}
