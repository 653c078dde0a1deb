import { t } from '@lingui/core/macro'
import { formatList } from '../../../lib/locale.ts'
import type { TableSource } from '#shared/table-result.ts'

const joined = (names: readonly string[]) => formatList(names)

const maxNames = 3
const unique = (names: readonly string[]) => [...new Set(names)].slice(0, maxNames)

/** What a result is called: the sheets, or else the files or tools, that its rows come from. */
export const nameSources = (sources: readonly TableSource[]): string =>
  joined(unique(sources.map(({ sheet, file, tool, table }) => sheet ?? file ?? tool ?? table)))

/** Files with their sheets, and tools. @param withRanges also where on the sheet a table is */
export const describeSources = (sources: readonly TableSource[], withRanges = false): string =>
  joined(
    unique(
      sources.map(({ file, sheet, range, tool, table }) => {
        if (file === undefined) return tool ?? table
        const place = sheet === undefined ? file : t`${file}, sheet “${sheet}”`
        return withRanges && range !== undefined ? `${place}, ${range}` : place
      }),
    ),
  )
