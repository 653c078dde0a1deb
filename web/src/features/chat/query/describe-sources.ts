import { t } from '@lingui/core/macro'
import { translateName } from '../../../lib/text/translate-name.ts'
import { formatList } from '../../../lib/text/locale.ts'
import type { TableSource } from '#shared/table-result.ts'

/** The name of a source that is no file: its tool, with the integration if it has one. */
const nameTool = ({ integration, title, tool, table }: TableSource) =>
  integration === undefined || title === undefined
    ? (tool ?? table)
    : `${integration} · ${translateName(title)}`

const maxNames = 3
const formatNames = (names: readonly string[]) => formatList([...new Set(names)].slice(0, maxNames))

/** Names a result after the sheets that its rows come from, or else the files or tools; at most three. Empty without sources. */
export const nameSources = (sources: readonly TableSource[]): string =>
  formatNames(sources.map((source) => source.sheet ?? source.file ?? nameTool(source)))

/**
 * Lists the files, with their sheets, and the tools that the rows of a result come from; at most three.
 * @param options.withRanges also lists the range of cells of each table on its sheet
 */
export const describeSources = (
  sources: readonly TableSource[],
  { withRanges = false }: { withRanges?: boolean } = {},
): string =>
  formatNames(
    sources.map((source) => {
      const { file, sheet, range } = source
      if (file === undefined) return nameTool(source)
      const name = sheet === undefined ? file : t`${file}, sheet “${sheet}”`
      return withRanges && range !== undefined ? `${name}, ${range}` : name
    }),
  )
