import { t } from '@lingui/core/macro'
import { translateName } from '../../../lib/translate-name.ts'
import { formatList } from '../../../lib/locale.ts'
import type { TableSource } from '#shared/table-result.ts'

const joined = (names: readonly string[]) => formatList(names)

const nameTool = ({ integration, title, tool, table }: TableSource) =>
  integration === undefined || title === undefined
    ? (tool ?? table)
    : `${integration} · ${translateName(title)}`

const maxNames = 3
const unique = (names: readonly string[]) => [...new Set(names)].slice(0, maxNames)

/** What a result is called: the sheets, or else the files or tools, that its rows come from. */
export const nameSources = (sources: readonly TableSource[]): string =>
  joined(unique(sources.map((source) => source.sheet ?? source.file ?? nameTool(source))))

/** Files with their sheets, and tools. @param withRanges also where on the sheet a table is */
export const describeSources = (sources: readonly TableSource[], withRanges = false): string =>
  joined(
    unique(
      sources.map((source) => {
        const { file, sheet, range } = source
        if (file === undefined) return nameTool(source)
        const place = sheet === undefined ? file : t`${file}, sheet “${sheet}”`
        return withRanges && range !== undefined ? `${place}, ${range}` : place
      }),
    ),
  )
