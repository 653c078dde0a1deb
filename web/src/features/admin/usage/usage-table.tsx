import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { formatCount } from '../../../lib/text/locale.ts'
import { phoneQuery, useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import { columnLabels, listColumns, sortRows, type Sort, type Usage, type UsageRow } from './usage-columns.ts'
import { UsageList } from './usage-list.tsx'
import { WideUsageTable } from './wide-usage-table.tsx'

/** The number of rows that are shown at first, so that thousands of users do not make the page slow. */
const initialRowCount = 100

/** A table of usage that its headings sort, or a list on a phone. @param total undefined: no row for it */
export function UsageTable({
  title,
  hint,
  nameLabel,
  rows,
  total,
}: {
  title: string
  hint?: string
  nameLabel: string
  rows: readonly UsageRow[]
  total?: Usage
}) {
  const [sort, setSort] = useState<Sort>({ key: 'inputTokens', isDescending: true })
  const [showsAll, setShowsAll] = useState(false)
  const isPhone = useMediaQuery(phoneQuery)
  const id = useId()
  const sortedRows = sortRows(rows, sort)
  const View = isPhone ? UsageList : WideUsageTable
  return (
    <>
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      {hint !== undefined && <p className="text-sm text-ink-muted">{hint}</p>}
      <View
        titleId={id}
        labels={{ name: nameLabel, ...columnLabels }}
        columns={listColumns(rows)}
        rows={showsAll ? sortedRows : sortedRows.slice(0, initialRowCount)}
        total={total}
        sort={sort}
        // columns of numbers are first sorted from the largest
        onSort={(key) =>
          setSort({ key, isDescending: sort.key === key ? !sort.isDescending : key !== 'name' })
        }
      />
      {!showsAll && rows.length > initialRowCount && (
        <Button className="mt-3" onClick={() => setShowsAll(true)}>
          {t`Show all ${{ count: formatCount(rows.length) }}`}
        </Button>
      )}
    </>
  )
}
